"""Kinds of damage: functions that change a draft and return whether they did."""
