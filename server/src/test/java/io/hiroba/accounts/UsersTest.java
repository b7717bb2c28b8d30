package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Sessions.Confirmation;
import io.hiroba.accounts.Users.NewUser;
import io.hiroba.testkit.TableDefinition;
import io.hiroba.testkit.TestAccounts;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class UsersTest {

    private static final Confirmation CONFIRMED = tx -> {};

    private static final TestAccounts accounts = new TestAccounts();
    private static final Users users = accounts.users;
    private static final UserId admin = accounts.admin();

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static UserUpdate update(String nickname, String introduction) {
        return new UserUpdate(Nickname.parse(nickname), introduction, null, null, null, null, null, null);
    }

    private static void assertCode(org.assertj.core.api.ThrowableAssert.ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("accounts." + code));
    }

    @Test
    void anAccountIsMadeAtTheMomentInItsId() {
        var id = accounts.user("Ann");
        assertThat(accounts.count("""
                SELECT count(*) FROM accounts.users
                WHERE id = %d AND created_at = '%s'
                """.formatted(id.value(), id.createdAt()))).isEqualTo(1);
        var user = users.profile(id).user();
        assertThat(user.createdAt()).isEqualTo(id.createdAt());
        assertThat(user.updatedAt()).isNull();
        assertThat(user.kind()).isEqualTo(User.Kind.PERSON);
    }

    @Test
    void onlyAnAdminMakesAccountsForOthersAndThatIsOnRecord() {
        var hash = accounts.credentials.hash(new Password("correct horse"));
        var request = new NewUser(accounts.freshEmail(), Nickname.parse("Bob"), hash, true);
        var stranger = accounts.caller(accounts.user("stranger"));
        assertCode(() -> users.create(stranger, request, CONFIRMED), "admin-only");
        assertCode(() -> users.create(accounts.caller(admin), request, Confirmation.NONE), "password-required");
        var made = users.create(accounts.caller(admin), request, CONFIRMED);
        assertThat(made.user().admin()).isTrue();
        assertThat(accounts.module.audit().list(accounts.caller(admin), Optional.empty(), 100))
                .anySatisfy(entry -> {
                    assertThat(entry.action()).isEqualTo(AuditLog.Action.USER_CREATED);
                    assertThat(entry.actor()).isEqualTo(admin);
                    assertThat(entry.subject()).isEqualTo(made.user().id());
                });
        assertCode(() -> users.create(accounts.caller(admin), request, CONFIRMED), "email-taken");
        assertCode(() -> accounts.module.audit().list(stranger, Optional.empty(), 1), "admin-only");
    }

    @Test
    void aProfileIsReplacedAsAWhole() {
        var id = accounts.user("Carl");
        var zone = ZoneId.of("Asia/Tokyo");
        var all = new UserUpdate(
                Nickname.parse("Carla"),
                "# Hello\n\n**world**",
                "/media/" + id + "/0198C2E9A1200000.png",
                null,
                "calm",
                zone,
                null,
                null);
        var changed = users.update(accounts.caller(id), id, all);
        assertThat(changed.introduction()).isEqualTo("# Hello\n\n**world**");
        assertThat(changed.user().snippet()).contains("Hello").contains("world").doesNotContain("**");
        assertThat(changed.user().updatedAt()).isNotNull();
        assertThat(changed.timeZone()).isEqualTo(zone);
        assertThat(changed.aiPersonality()).isEqualTo("calm");
        var emptied = users.update(accounts.caller(id), id, update("Carla", ""));
        assertThat(emptied.user().avatar()).isNull();
        assertThat(emptied.aiPersonality()).isNull();
        assertThat(emptied.timeZone()).isNull();
        assertThat(emptied.user().snippet()).isEqualTo("[]");
    }

    @Test
    void textsHaveLimitsForPeopleAndTheColumnsForAdmins() {
        var id = accounts.user("Dora");
        var own = accounts.caller(id);
        assertThat(users.update(own, id, update("Dora", "😀".repeat(2500))).introduction())
                .hasSize(5000);
        assertCode(() -> users.update(own, id, update("Dora", "x".repeat(2501))), "invalid");
        var personality = new UserUpdate(Nickname.parse("Dora"), "", null, null, "p".repeat(2501), null, null, null);
        assertCode(() -> users.update(own, id, personality), "invalid");

        var byAdmin = accounts.caller(admin);
        assertThat(users.update(byAdmin, id, update("Dora", "x".repeat(65_535))).introduction())
                .hasSize(65_535);
        assertThat(users.update(byAdmin, id, personality).aiPersonality()).hasSize(2501);
        assertCode(() -> users.update(byAdmin, id, update("Dora", "x".repeat(65_536))), "invalid");
    }

    @Test
    void nobodyChangesOrDeletesWhatIsAnothers() {
        var victim = accounts.user("Eve");
        var stranger = accounts.caller(accounts.user("Mallory"));
        assertCode(() -> users.update(stranger, victim, update("owned", "")), "not-yours");
        assertCode(() -> users.delete(stranger, victim), "not-yours");
        assertThat(users.profile(victim).user().nickname().value()).isEqualTo("Eve");
    }

    @Test
    void onlyAnAdminChangesRolesAndAddressesDirectly() {
        var id = accounts.user("Finn");
        var own = accounts.caller(id);
        var promoted = new UserUpdate(Nickname.parse("Finn"), "", null, null, null, null, true, null);
        var moved = new UserUpdate(Nickname.parse("Finn"), "", null, null, null, null, null, accounts.freshEmail());
        assertCode(() -> users.update(own, id, promoted, CONFIRMED), "admin-only");
        assertCode(() -> users.update(own, id, moved, CONFIRMED), "admin-only");
        assertCode(() -> users.update(accounts.caller(admin), id, promoted), "password-required");
        assertCode(() -> users.update(accounts.caller(admin), id, moved), "password-required");
        assertThat(users.update(accounts.caller(admin), id, promoted, CONFIRMED)
                        .user()
                        .admin())
                .isTrue();
        assertThat(users.update(accounts.caller(admin), id, moved, CONFIRMED)
                        .user()
                        .email())
                .isEqualTo(moved.email());
        var taken = new UserUpdate(Nickname.parse("Finn"), "", null, null, null, null, false, accounts.emailOf(admin));
        assertCode(() -> users.update(accounts.caller(admin), id, taken, CONFIRMED), "email-taken");
        assertThat(users.profile(id).user().admin())
                .as("nothing of a refused change")
                .isTrue();
    }

    @Test
    void anAvatarIsAPictureOfOnesOwnAndNoAddress() {
        var id = accounts.user("Painter");
        var own = "/media/" + id + "/0198C2E9A1200000.jpg";
        for (var avatar : List.of(
                "https://evil.example/x.png",
                "//evil",
                "/etc/passwd",
                "",
                own + "\n",
                own.replace(".jpg", ".svg"),
                "/media/" + id + "/../0198C2E9A1200000.jpg",
                "/media/" + accounts.user("Other") + "/0198C2E9A1200000.jpg")) {
            assertCode(() -> users.update(accounts.caller(id), id, withAvatar(avatar)), "invalid");
            assertCode(() -> users.update(accounts.caller(admin), id, withAvatar(avatar)), "invalid");
        }
        assertThat(users.update(accounts.caller(id), id, withAvatar(own)).user().avatar())
                .isEqualTo(own);
        assertCode(() -> UserUpdate.timeZone("Mars/Olympus"), "invalid");
    }

    private static UserUpdate withAvatar(String avatar) {
        return new UserUpdate(Nickname.parse("x"), "", avatar, null, null, null, null, null);
    }

    @Test
    void aDeletedUserIsGoneWithAllThatIsTheirsAndOthersAreTold() {
        var id = accounts.user("Gina");
        accounts.sessions.logIn(TestAccounts.client(), accounts.emailOf(id), TestAccounts.PASSWORD);
        users.delete(accounts.caller(id), id);
        assertThat(users.find(id)).isEmpty();
        for (var table : List.of("user_details", "sessions")) {
            assertThat(accounts.count(
                            "SELECT count(*) FROM accounts.%s WHERE user_id = %d".formatted(table, id.value())))
                    .isZero();
        }
        assertThat(accounts.count("""
                SELECT count(*) FROM platform.event_logs
                WHERE payload ->> 'type' = 'user-deleted' AND payload ->> 'userId' = '%s'
                """.formatted(id))).isEqualTo(1);
        assertCode(() -> users.delete(accounts.caller(admin), id), "user-not-found");
        assertCode(() -> users.update(accounts.caller(admin), id, update("x", "")), "user-not-found");
    }

    @Test
    void theLastAdminStaysEvenWhenTwoLeaveAtOnce() throws InterruptedException {
        try (var own = new TestAccounts()) {
            var first = own.admin();
            var second = own.admin();
            var acts = List.<Callable<Boolean>>of(
                    () -> succeeds(() -> own.users.delete(own.caller(first), first)),
                    () -> succeeds(() -> own.users.delete(own.caller(second), second)));
            var done = new ArrayList<Boolean>();
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (var future : executor.invokeAll(acts)) {
                    done.add(future.get());
                }
            } catch (ExecutionException e) {
                throw new AssertionError(e);
            }
            assertThat(done).containsExactlyInAnyOrder(true, false);
            var last = own.users.find(first).isPresent() ? first : second;
            var demoted = new UserUpdate(Nickname.parse("x"), "", null, null, null, null, false, null);
            assertCode(() -> own.users.update(own.caller(last), last, demoted, CONFIRMED), "last-admin");
        }
    }

    private static boolean succeeds(Runnable act) {
        try {
            act.run();
            return true;
        } catch (AccountsProblem e) {
            assertThat(e.code()).isEqualTo("accounts.last-admin");
            return false;
        }
    }

    @Test
    void theDatabaseItselfRefusesAnAddressInUpperCase() {
        assertThatThrownBy(() -> accounts.db.useTransaction(tx -> tx.update("""
                                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                                VALUES (1, 'A@b.c', 'x', 'x', false, '[]')
                                """).execute()))
                .hasMessageContaining("users_email_check");
    }

    @Test
    void othersReadTheCardAndSeeAgentsAsAgents() {
        accounts.aiModels.save(
                accounts.caller(admin),
                new io.hiroba.accounts.AiModel("card-model", java.math.BigDecimal.ONE, java.math.BigDecimal.TEN, ""));
        var id = accounts.user("Robo");
        var update = new UserUpdate(Nickname.parse("Robo"), "", null, "card-model", "terse", null, null, null);
        assertThat(users.update(accounts.caller(id), id, update).user().kind()).isEqualTo(User.Kind.AGENT);
        assertThat(accounts.count(
                        "SELECT count(*) FROM accounts.user_card WHERE kind = 'agent' AND id = " + id.value()))
                .isEqualTo(1);
        var unknown = new UserUpdate(Nickname.parse("Robo"), "", null, "no-such-model", null, null, null, null);
        assertCode(() -> users.update(accounts.caller(id), id, unknown), "invalid");
        accounts.aiModels.delete(accounts.caller(admin), "card-model");
        assertThat(users.profile(id).user().aiModel()).isNull();
    }

    @Test
    void theTablesHaveTheColumnsAndConstraintsOfTheDesign() {
        assertThat(TableDefinition.of(accounts.db, "accounts.users"))
                .contains(
                        "id bigint NOT NULL",
                        "email character varying(100) NOT NULL",
                        "UNIQUE (email)",
                        "nickname character varying(50) NOT NULL",
                        "password character varying(200) NOT NULL",
                        "is_admin boolean NOT NULL",
                        "snippet character varying(4096) NOT NULL",
                        "avatar character varying(100)",
                        "ai_model character varying(50)",
                        "FOREIGN KEY (ai_model) REFERENCES accounts.ai_models(name) ON DELETE SET NULL")
                .doesNotContain("UNIQUE (nickname)");
        assertThat(TableDefinition.of(accounts.db, "accounts.user_details"))
                .contains(
                        "introduction character varying(65535) NOT NULL",
                        "ai_personality character varying(5000)",
                        "FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE");
    }

    private static UserUpdate role(boolean admin) {
        return new UserUpdate(Nickname.parse("x"), "", null, null, null, null, admin, null);
    }

    @Test
    void aDemotedAdminDoesNotRestoreThemselvesWithARequestUnderWay() throws Exception {
        var id = accounts.admin();
        var stale = accounts.caller(id);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var restoring = accounts.db.inTransaction(tx -> {
                tx.update("UPDATE accounts.users SET is_admin = false WHERE id = :id")
                        .bind("id", id.value())
                        .execute();
                var started = executor.submit(() -> users.update(stale, id, role(true), CONFIRMED));
                Awaitility.await().until(() -> accounts.count("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """) == 1);
                return started;
            });
            assertThatThrownBy(restoring::get).cause().hasMessageContaining("Only an admin");
        }
        assertThat(users.profile(id).user().admin()).isFalse();
        assertCode(() -> users.update(stale, id, role(true), CONFIRMED), "admin-only");
        assertCode(() -> users.update(stale, accounts.user("other"), role(true), CONFIRMED), "admin-only");
    }

    @Test
    void anAdminsOwnAddressTakesACodeAndActingAdminsChangeNeitherRolesNorAddresses() {
        var own = new UserUpdate(Nickname.parse("x"), "", null, null, null, null, null, accounts.freshEmail());
        assertCode(() -> users.update(accounts.caller(admin), admin, own, CONFIRMED), "own-email");
        var other = accounts.admin();
        var acting = new Caller(other, true, new Caller.BySession(new SessionId(1)), admin);
        var victim = accounts.user("Hanna");
        assertCode(() -> users.update(acting, victim, role(true), CONFIRMED), "acting");
        assertCode(() -> users.update(acting, victim, own, CONFIRMED), "acting");
        assertThat(users.update(acting, victim, update("Hanna", "hi")).introduction())
                .isEqualTo("hi");
    }

    @Test
    void anOverlongModelIsRefusedByName() {
        var name = "m".repeat(51);
        assertCode(() -> new UserUpdate(Nickname.parse("x"), "", null, name, null, null, null, null), "invalid");
    }

    @Test
    void deletingAPersonWaitsForNoAdmin() {
        var person = accounts.user("Ines");
        accounts.db.useTransaction(tx -> {
            new UserStore().lockAdmins(tx, accounts.clock.instant());
            users.delete(accounts.caller(person), person);
        });
        assertThat(users.find(person)).isEmpty();
    }
}
