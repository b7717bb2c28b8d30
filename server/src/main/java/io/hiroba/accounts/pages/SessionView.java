package io.hiroba.accounts.pages;

/** One place where a user is logged in. */
public record SessionView(String id, String device, String about, boolean isCurrent) {}
