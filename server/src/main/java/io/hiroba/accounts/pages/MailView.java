package io.hiroba.accounts.pages;

/** A mail that was written to the data folder. */
public record MailView(String to, String subject, String sent, String text) {}
