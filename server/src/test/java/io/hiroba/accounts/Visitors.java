package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestAccounts;

/** Lets users call a live server by a token or a session. */
record Visitors(TestAccounts accounts, ApiClient anonymous) {

    String credentials(UserId user) {
        return "'email':'%s','password':'%s'".formatted(accounts.emailOf(user), TestAccounts.PASSWORD);
    }

    ApiClient byToken(UserId user) {
        var reply = anonymous.post("/api/v1/tokens", "{%s,'name':'test'}".formatted(credentials(user)));
        assertThat(reply.outcome()).isEqualTo("201");
        return anonymous.token(reply.text("token"));
    }

    ApiClient bySession(UserId user) {
        var reply = anonymous.post("/api/v1/session", "{%s}".formatted(credentials(user)));
        assertThat(reply.outcome()).isEqualTo("201");
        return anonymous.cookie(reply.cookie());
    }
}
