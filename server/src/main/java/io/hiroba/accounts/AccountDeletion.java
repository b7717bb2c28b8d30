package io.hiroba.accounts;

/** How an account is deleted with all that its owner left behind in other features. */
@FunctionalInterface
public interface AccountDeletion {

    /** Closes the account at once and deletes it; false where that goes on after this returns. */
    boolean delete(Caller caller, UserId id);
}
