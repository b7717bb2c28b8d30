package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserList.Filter;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestAccounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UserListTest {

    private static final int PAGE = 20;
    private static final TestAccounts accounts = new TestAccounts();
    private static final Users users = accounts.users;

    @BeforeAll
    static void seed() {
        accounts.db.useTransaction(tx -> {
            tx.update("""
                            INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                            SELECT (1700000000000 + n) << 20, 'seed' || n || '@example.org',
                                   CASE n % 4 WHEN 0 THEN 'Taro' WHEN 1 THEN 'taro' ELSE 'user' || md5(n::text) END,
                                   'x', false, '[]'
                            FROM generate_series(1, 24000) AS n
                            """).execute();
            tx.update("INSERT INTO accounts.user_details (user_id, introduction) SELECT id, '' FROM accounts.users")
                    .execute();
        });
        accounts.db.useTransaction(tx -> tx.update("ANALYZE accounts.users").execute());
    }

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static List<User> all(String prefix, int limit) {
        var found = new ArrayList<User>();
        Optional<NicknamePosition> after = Optional.empty();
        while (true) {
            var page = users.list(prefix, after, limit);
            found.addAll(page);
            if (page.size() < limit) {
                return found;
            }
            after = Optional.of(NicknamePosition.of(page.getLast()));
        }
    }

    @Test
    void pagesTogetherHoldEveryoneOnceInOrderWhateverTheCase() {
        var found = all("TAR", 997);
        assertThat(found).hasSize(12_000).doesNotHaveDuplicates();
        assertThat(found)
                .isSortedAccordingTo(
                        Comparator.comparing((User user) -> user.nickname().value(), Comparator.reverseOrder())
                                .thenComparing(user -> user.id().value()));
    }

    @Test
    void namesOfAllScriptsPageInTheOrderOfTheCollation() {
        var ordered = List.of(
                "🎉party", "ann", "Ann", "Ánn", "ｂｏｂ", "Zoë", "Ωmega", "Яна", "دانا", "가람", "あおい", "アオイ", "かな", "がな",
                "カナ子", "二葉", "王芳", "田中 太郎", "龍");
        var marked = ordered.stream().map(name -> "÷" + name).toList();
        var created = new ArrayList<>(marked);
        Collections.shuffle(created, new Random(7));
        created.forEach(accounts::user);
        var namesake = accounts.user("÷田中 太郎");
        for (int limit : List.of(1, 3, 100)) {
            var found = all("÷", limit);
            assertThat(found).doesNotHaveDuplicates();
            assertThat(found.stream().map(user -> user.nickname().value()).distinct())
                    .containsExactlyElementsOf(marked);
            assertThat(found).hasSize(marked.size() + 1).extracting(User::id).contains(namesake);
        }
        assertThat(named("÷AN")).containsExactly("÷ann", "÷Ann", "÷Ánn");
        assertThat(named("÷Án")).containsExactly("÷ann", "÷Ann", "÷Ánn");
        assertThat(named("÷Bo")).containsExactly("÷ｂｏｂ");
        assertThat(named("÷か")).containsExactly("÷かな", "÷がな", "÷カナ子");
        assertThat(named("÷田中")).containsExactly("÷田中 太郎", "÷田中 太郎");
        assertThat(named("÷🎉")).containsExactly("÷🎉party");
    }

    private static List<String> named(String prefix) {
        return all(prefix, 2).stream().map(user -> user.nickname().value()).toList();
    }

    @Test
    void pagesByTimeHoldEveryoneOnceFromEitherEnd() {
        var everyone = accounts.count("SELECT count(*) FROM accounts.users");
        assertThat(allByTime(users::newest, 4999))
                .hasSize(everyone)
                .isSortedAccordingTo(Comparator.comparing(UserId::value).reversed());
        assertThat(allByTime(users::oldest, 4999))
                .hasSize(everyone)
                .isSortedAccordingTo(Comparator.comparing(UserId::value));
    }

    private static List<UserId> allByTime(KeysetList.Finder<User, UserId> list, int limit) {
        var found = new ArrayList<UserId>();
        Optional<UserId> after = Optional.empty();
        while (true) {
            var page = list.find(after, limit);
            page.forEach(user -> found.add(user.id()));
            if (page.size() < limit) {
                return found;
            }
            after = Optional.of(found.getLast());
        }
    }

    @Test
    void theEmptyPrefixListsEveryone() {
        assertThat(all("", 5000)).hasSize(accounts.count("SELECT count(*) FROM accounts.users"));
    }

    @Test
    void wildcardsAndOddCharactersAreLettersLikeAnyOther() {
        var percent = accounts.user("100% Zorro_x");
        var quote = accounts.user("zz'); DROP TABLE users;--");
        var accents = accounts.user("Ärger");
        assertThat(users.list("100%", Optional.empty(), 10))
                .extracting(User::id)
                .containsExactly(percent);
        assertThat(users.list("1_0", Optional.empty(), 10)).isEmpty();
        assertThat(users.list("%", Optional.empty(), 10)).isEmpty();
        assertThat(users.list("\\", Optional.empty(), 10)).isEmpty();
        assertThat(users.list("ZZ')", Optional.empty(), 10))
                .extracting(User::id)
                .containsExactly(quote);
        assertThat(users.list("äR", Optional.empty(), 10)).extracting(User::id).containsExactly(accents);
    }

    @Test
    void aWalkSkipsAndRepeatsNobodyWhileOthersComeAndGo() {
        var before = all("user0", 100);
        var seen = new ArrayList<UserId>();
        Optional<NicknamePosition> after = Optional.empty();
        for (int i = 0; ; i++) {
            var page = users.list("user0", after, 50);
            page.forEach(user -> seen.add(user.id()));
            if (page.size() < 50) {
                break;
            }
            after = Optional.of(NicknamePosition.of(page.getLast()));
            accounts.user("user0000" + i);
            users.delete(accounts.caller(page.getFirst().id()), page.getFirst().id());
        }
        assertThat(seen)
                .doesNotHaveDuplicates()
                .containsAll(before.stream().map(User::id).toList());
    }

    @Test
    void aPageIsAWalkAlongTheIndexAndNothingIsSorted() {
        for (var after : List.of(
                NicknamePosition.START,
                new NicknamePosition("taro", new UserId((1_700_000_000_000L + 9000) << 20)),
                new NicknamePosition("userabc", new UserId(1)))) {
            for (var prefix : List.of("", "tar", "user")) {
                for (boolean generic : List.of(false, true)) {
                    var plan = Plan.of(
                            accounts.db, generic, reads -> UserStore.page(reads, Plan.LEAD, prefix, after, PAGE));
                    assertThat(plan.toString())
                            .contains("idx_users_nickname_order")
                            .doesNotContain("Sort")
                            .doesNotContain("Bitmap");
                    assertThat(plan.entriesPassed()).as(plan.toString()).isLessThanOrEqualTo(PAGE);
                    // A scan that began at the wrong bound would pass thousands of entries.
                    assertThat(plan.blocks()).as(plan.toString()).isLessThan(3 * PAGE);
                }
            }
        }
    }

    @Test
    void aFilterIsOneScanOfAnIndexOfOnlyThese() {
        var indexes = Map.of(
                Filter.ADMINS,
                "idx_users_admin",
                Filter.AGENTS,
                "idx_users_agent",
                Filter.SUSPENDED,
                "idx_users_suspended");
        indexes.forEach((filter, index) -> {
            for (boolean generic : List.of(false, true)) {
                var plan = Plan.of(
                        accounts.db,
                        generic,
                        reads -> UserFilterStore.page(
                                reads, Plan.LEAD, filter, new UserId(Long.MAX_VALUE), accounts.clock.instant(), PAGE));
                assertThat(plan.toString()).contains(index).doesNotContain("Sort");
            }
        });
    }

    @Test
    void aPartOfANicknameIsFoundAlongTheIndexOfItsPairs() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(accounts.db, generic, reads -> UserFilterStore.named(reads, Plan.LEAD, "serab", PAGE));
            assertThat(plan.toString()).contains("idx_users_name_pairs").doesNotContain("Seq Scan");
        }
    }
}
