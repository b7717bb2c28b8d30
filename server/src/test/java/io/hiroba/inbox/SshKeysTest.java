package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.problem.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SSH keys and the notifications of their expiry. */
class SshKeysTest {

    private static final String SOON = "15:";
    private static final String EXPIRED = "14:";

    private TestInbox inbox;
    private SshKeys keys;
    private SshKeyReminders reminders;
    private UserId ann;

    @BeforeEach
    void open() {
        inbox = new TestInbox();
        var clock = inbox.accounts.clock;
        clock.set(Instant.parse("2026-06-01T10:00:00Z"));
        keys = new SshKeys(inbox.db, clock, inbox.fanout);
        reminders = new SshKeyReminders(inbox.db, clock, InboxConfig.DEFAULT.keyNotice(), inbox.fanout);
        ann = inbox.user("ann");
    }

    @AfterEach
    void close() {
        assertThat(inbox.miscounted()).isEmpty();
        inbox.close();
    }

    private static SshPublicKey key(int number) {
        var blob = ByteBuffer.allocate(51)
                .putInt(11)
                .put("ssh-ed25519".getBytes(StandardCharsets.US_ASCII))
                .putInt(32)
                .putInt(number)
                .array();
        return SshPublicKey.parse("ssh-ed25519 " + Base64.getEncoder().encodeToString(blob) + " ann@laptop");
    }

    private SshKey add(int number, @Nullable String expiresAt) {
        var end = expiresAt == null ? null : Instant.parse(expiresAt);
        return inbox.db.inTransaction(tx -> keys.add(tx, caller(ann), key(number), null, end));
    }

    private Caller caller(UserId user) {
        return inbox.accounts.caller(user);
    }

    private List<String> at(String moment) {
        inbox.accounts.clock.set(Instant.parse(moment));
        reminders.run();
        return inbox.items(ann);
    }

    private static String refusal(Runnable action) {
        try {
            action.run();
            return "done";
        } catch (Problem e) {
            return e.code();
        }
    }

    @Test
    void anOwnerIsNotifiedSevenDaysBeforeAndAtTheExpiryOnceEach() {
        add(1, "2026-06-20T08:30:00Z");
        add(2, null);
        assertThat(at("2026-06-13T08:29:59Z")).isEmpty();
        assertThat(at("2026-06-13T08:30:00Z")).containsExactly(SOON + "todo");
        assertThat(at("2026-06-18T00:00:00Z")).containsExactly(SOON + "todo");
        assertThat(at("2026-06-20T08:29:59Z")).containsExactly(SOON + "todo");
        assertThat(at("2026-06-20T08:30:00Z")).containsExactly(SOON + "done", EXPIRED + "todo");
        assertThat(at("2027-01-01T00:00:00Z")).containsExactly(SOON + "done", EXPIRED + "todo");
    }

    @Test
    void aKeyThatExpiredUnnoticedIsNotifiedOfOnce() {
        add(1, "2026-06-20T08:30:00Z");
        assertThat(at("2026-07-01T00:00:00Z")).containsExactly(EXPIRED + "todo");
    }

    @Test
    void aKeyThatExpiresWithinTheWeekIsNotifiedOfAtOnce() {
        add(1, "2026-06-02T00:00:00Z");
        assertThat(at("2026-06-01T10:00:00Z")).containsExactly(SOON + "todo");
    }

    @Test
    void twoNodesNotifyOfEachKeyOnce() throws Exception {
        for (int i = 0; i < 100; i++) {
            add(i, "2026-06-20T08:30:00Z");
        }
        inbox.accounts.clock.set(Instant.parse("2026-06-14T00:00:00Z"));
        Callable<Boolean> node = () -> {
            reminders.run();
            return true;
        };
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : nodes.invokeAll(Collections.nCopies(2, node))) {
                assertThat(done.get()).isTrue();
            }
        }
        assertThat(inbox.items(ann)).hasSize(100);
        assertThat(at("2026-06-21T00:00:00Z")).hasSize(200);
    }

    @Test
    void aNewExpiryResolvesTheOldItemsAndIsNotifiedOfAgain() {
        var key = add(1, "2026-06-20T08:30:00Z");
        at("2026-06-20T08:30:00Z");
        var renewed = keys.update(caller(ann), key.id(), "Laptop", Instant.parse("2026-06-25T00:00:00Z"));
        assertThat(renewed.title()).isEqualTo("Laptop");
        assertThat(inbox.items(ann)).containsExactly(EXPIRED + "done");
        // Its new end is less than a week away.
        assertThat(at("2026-06-20T08:30:00Z")).containsExactly(EXPIRED + "done", SOON + "todo");
        assertThat(at("2026-06-25T00:00:00Z")).containsExactly(EXPIRED + "done", SOON + "done", EXPIRED + "todo");
        keys.update(caller(ann), key.id(), "Laptop", null);
        assertThat(inbox.items(ann)).containsExactly(EXPIRED + "done", SOON + "done", EXPIRED + "done");
    }

    @Test
    void anotherTitleAloneChangesNothingElse() {
        var key = add(1, "2026-06-05T00:00:00Z");
        at("2026-06-01T10:00:00Z");
        keys.update(caller(ann), key.id(), "Other", Instant.parse("2026-06-05T00:00:00Z"));
        assertThat(at("2026-06-01T10:00:01Z")).containsExactly(SOON + "todo");
    }

    @Test
    void aDeletedKeysItemsGo() {
        var key = add(1, "2026-06-05T00:00:00Z");
        add(2, "2026-06-05T00:00:00Z");
        at("2026-06-01T10:00:00Z");
        keys.delete(caller(ann), key.id());
        assertThat(inbox.items(ann)).containsExactly(SOON + "todo");
        assertThat(keys.of(ann)).hasSize(1);
        add(1, null);
        assertThat(keys.of(ann)).hasSize(2);
    }

    @Test
    void aKeyIsThereOnceForEachOwnerAndNobodyTouchesAnothers() {
        var key = add(1, null);
        assertThat(key.title()).isEqualTo("ann@laptop");
        assertThat(refusal(() -> add(1, null))).isEqualTo("inbox.key-taken");
        var bob = caller(inbox.user("bob"));
        inbox.db.useTransaction(tx -> keys.add(tx, bob, key(1), "Mine", null));
        assertThat(keys.of(bob.user())).extracting(SshKey::title).containsExactly("Mine");
        assertThat(refusal(() -> keys.delete(bob, key.id()))).isEqualTo("inbox.key-not-found");
        assertThat(refusal(() -> keys.update(bob, key.id(), "x", null))).isEqualTo("inbox.key-not-found");
        assertThat(refusal(() -> keys.delete(bob, new ResourceId(1)))).isEqualTo("inbox.key-not-found");
        var acting = new Caller(ann, false, new Caller.BySession(new SessionId(1)), bob.user());
        assertThat(refusal(() -> keys.delete(acting, key.id()))).isEqualTo("accounts.acting");
        assertThat(refusal(() -> inbox.db.useTransaction(tx -> keys.add(tx, acting, key(3), null, null))))
                .isEqualTo("accounts.acting");
    }

    @Test
    void ofTwoWhoAddOneKeyAtOnceOneDoes() throws Exception {
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<String> addition = () -> refusal(() -> add(7, null));
            var outcomes = nodes.invokeAll(Collections.nCopies(4, addition)).stream()
                    .map(outcome -> outcome.resultNow())
                    .toList();
            assertThat(outcomes)
                    .containsExactlyInAnyOrder("done", "inbox.key-taken", "inbox.key-taken", "inbox.key-taken");
        }
    }

    @Test
    void nobodyHasMoreThanAHundredNorOneThatHasEnded() {
        for (int i = 0; i < 100; i++) {
            add(i, null);
        }
        assertThat(refusal(() -> add(100, null))).isEqualTo("inbox.too-many-keys");
        assertThat(refusal(() -> add(100, "2026-06-01T10:00:00Z"))).isEqualTo("inbox.invalid");
        assertThat(refusal(() -> add(100, "+294277-01-01T00:00:00Z"))).isEqualTo("inbox.invalid");
    }
}
