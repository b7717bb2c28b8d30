package io.hiroba.accounts;

/** An account to be made by an admin. */
public record NewUser(Email email, Nickname nickname, PasswordHash password, boolean admin) {}
