package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;

/** Who may speak for resources and to other people: a matter of roles, which are given elsewhere. */
@FunctionalInterface
public interface Operators {

    boolean include(Caller caller);

    default void require(Caller caller) {
        if (!include(caller)) {
            throw InboxProblem.operatorsOnly();
        }
    }
}
