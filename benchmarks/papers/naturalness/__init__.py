"""Groves, Tian & Douratsos (INLG 2018), rebuilt: learners, features, transfer."""
