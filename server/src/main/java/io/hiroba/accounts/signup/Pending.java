package io.hiroba.accounts.signup;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import java.util.Optional;

/**
 * Something that waits for its code.
 *
 * @param email the address that the code was sent to
 * @param user the account it concerns; none when signing up, or when the address is unknown
 */
record Pending(CodeId id, Purpose purpose, Email email, Optional<UserId> user) {}
