package io.hiroba.accounts;

/** An account that an admin creates. */
public record NewUser(Email email, Nickname nickname, PasswordHash password, boolean admin) {}
