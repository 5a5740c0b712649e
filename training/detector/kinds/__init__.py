"""Kinds of damage: functions that change a draft and say whether they could."""
