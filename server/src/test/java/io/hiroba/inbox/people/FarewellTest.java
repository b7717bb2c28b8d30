package io.hiroba.inbox.people;

import static io.hiroba.testkit.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.resources.Person;
import io.hiroba.platform.http.Throttle;
import io.hiroba.testkit.TestInbox;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What goes with somebody who leaves. */
class FarewellTest {

    private static final TestInbox inbox = new TestInbox();

    @AfterAll
    static void close() {
        inbox.close();
    }

    @Test
    void allThatIsTheirsGoesAndNothingElse() {
        var identities = new Identities(
                inbox.db,
                inbox.accounts.lease.ids(),
                inbox.accounts.users,
                inbox.people,
                new Throttle(inbox.db, inbox.accounts.clock),
                inbox.silent);
        var leaver = inbox.linked("leaver");
        var other = inbox.linked("other");
        var issue = inbox.issue("a/b", "one");
        var mentions = Collections.nCopies(601, News.of(issue, Action.MENTIONED, Author.NOBODY, NOON));
        for (var person : List.of(leaver, other)) {
            inbox.db.useTransaction(tx -> mentions.forEach(news -> inbox.notifier.tell(tx, news, List.of(person))));
            inbox.db.useTransaction(tx -> inbox.people.here(tx, user(person)));
            identities.claim(
                    inbox.accounts.caller(user(person)),
                    ForeignName.username(null, Objects.requireNonNull(person.username())));
        }
        var news = News.of(issue, Action.ASSIGNED, Author.of(leaver), NOON);
        inbox.tell(news, other);
        var farewell = new Farewell(inbox.db);
        assertThat(farewell.delete(user(leaver))).isEqualTo(601);
        assertThat(farewell.delete(user(leaver))).isZero();
        assertThat(inbox.items(user(leaver))).isEmpty();
        assertThat(identities.of(user(leaver))).isEmpty();
        assertThat(inbox.db.<Integer>read(
                        reads -> inbox.people.are(reads, user(leaver)).size()))
                .isZero();
        assertThat(inbox.items(user(other))).hasSize(602);
        assertThat(inbox.accounts.count("SELECT count(*) FROM inbox.notifications WHERE author_id IS NOT NULL"))
                .isZero();
        assertThat(identities.of(user(other))).hasSize(1);
        assertThat(inbox.db.<Integer>read(
                        reads -> inbox.people.are(reads, user(other)).size()))
                .isEqualTo(2);
        assertThat(inbox.miscounted()).isEmpty();
        inbox.accounts.users.delete(inbox.accounts.caller(user(leaver)), user(leaver));
        assertThat(inbox.miscounted()).isEmpty();
    }

    private static UserId user(Person person) {
        return Objects.requireNonNull(person.user());
    }
}
