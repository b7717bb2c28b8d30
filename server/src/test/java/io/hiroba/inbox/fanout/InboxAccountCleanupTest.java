package io.hiroba.inbox.fanout;

import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.TestInbox;
import io.hiroba.platform.http.Throttle;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What goes with somebody who leaves. */
@Tag("slow")
class InboxAccountCleanupTest {

    private static final TestInbox inbox = new TestInbox();

    @AfterAll
    static void close() {
        inbox.close();
    }

    @Test
    void allThatIsTheirsGoesAndNothingElse() {
        var identities = new ExternalIdentities(
                inbox.db,
                inbox.accounts.lease.ids(),
                inbox.accounts.users,
                inbox.people,
                new Throttle(inbox.db, inbox.accounts.clock),
                inbox.silent);
        var leaver = inbox.linked("leaver");
        var other = inbox.linked("other");
        var issue = inbox.issue("a/b", "one");
        var mentions = Collections.nCopies(
                601, NotificationRequest.of(issue, Action.MENTIONED, NotificationAuthor.NOBODY, NOON));
        for (var person : List.of(leaver, other)) {
            inbox.db.useTransaction(
                    tx -> mentions.forEach(request -> inbox.notifier.notifyPeople(tx, request, List.of(person))));
            inbox.db.useTransaction(tx -> inbox.people.local(tx, user(person)));
            identities.claim(
                    inbox.accounts.caller(user(person)),
                    ExternalName.username(null, Objects.requireNonNull(person.username())));
        }
        var request = NotificationRequest.of(issue, Action.ASSIGNED, NotificationAuthor.of(leaver), NOON);
        inbox.notifyPeople(request, other);
        var farewell = new InboxAccountCleanup(inbox.db);
        assertThat(farewell.delete(user(leaver))).isEqualTo(601);
        assertThat(farewell.delete(user(leaver))).isZero();
        assertThat(inbox.items(user(leaver))).isEmpty();
        assertThat(identities.of(user(leaver))).isEmpty();
        assertThat(inbox.db.<Integer>read(
                        reads -> inbox.people.idsOf(reads, user(leaver)).size()))
                .isZero();
        assertThat(inbox.items(user(other))).hasSize(602);
        assertThat(inbox.accounts.count("SELECT count(*) FROM inbox.notifications WHERE author_id IS NOT NULL"))
                .isZero();
        assertThat(identities.of(user(other))).hasSize(1);
        assertThat(inbox.db.<Integer>read(
                        reads -> inbox.people.idsOf(reads, user(other)).size()))
                .isEqualTo(2);
        assertThat(inbox.miscounted()).isEmpty();
        inbox.accounts.users.delete(inbox.accounts.caller(user(leaver)), user(leaver));
        assertThat(inbox.miscounted()).isEmpty();
    }

    private static UserId user(ExternalPerson person) {
        return Objects.requireNonNull(person.user());
    }
}
