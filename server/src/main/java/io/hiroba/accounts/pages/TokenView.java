package io.hiroba.accounts.pages;

/** A token as its owner knows it, without the secret. */
public record TokenView(String id, String name, String made, String used) {}
