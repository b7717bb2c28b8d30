package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import io.hiroba.testkit.GoldenStatements;
import org.junit.jupiter.api.Test;

/** The statements of the list of sessions as they are sent. */
class SessionStatementsTest {

    private static final UserId OWNER = new UserId(1);

    private static void check(String name, ChatSessions.Filter filter, boolean all, boolean isContinued) {
        GoldenStatements.check("knowledge", name, ChatSessionStore.listSql(filter, all, isContinued));
    }

    @Test
    void aListContainsOnlyTheFiltersThatAreGiven() {
        var everything = new ChatSessions.Filter(OWNER, null, null);
        check("sessions-own", everything, true, false);
        check("sessions-own-next-page", everything, true, true);
        check("sessions-public", everything, false, false);
        check(
                "sessions-public-filtered-next-page",
                new ChatSessions.Filter(OWNER, SessionType.MENTION, SessionStatus.ARCHIVED),
                false,
                true);
    }
}
