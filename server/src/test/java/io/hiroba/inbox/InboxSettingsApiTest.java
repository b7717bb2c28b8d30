package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
class InboxSettingsApiTest {

    private static final String PREFERENCES = "/api/v1/inbox/preferences";
    private static final String SETTINGS = "/api/v1/inbox/settings";

    private static Square square;
    private static Db db;

    @BeforeAll
    static void start() {
        square = new Square();
        db = Db.open(square.server.database().config());
        db.useTransaction(tx -> {
            namespace(tx, 100, null, "group");
            namespace(tx, 101, 100L, "group/project");
            namespace(tx, 102, null, "secret");
        });
    }

    private static void namespace(Tx tx, long id, @Nullable Long parent, String path) {
        tx.update("""
                        INSERT INTO inbox.namespaces (id, connection_id, parent_id, path, name)
                        VALUES (:id, 2, :parent, :path, :path)
                        """).bind("id", id).bind("parent", parent).bind("path", path).execute();
    }

    @AfterAll
    static void stop() {
        db.close();
        square.close();
    }

    /** Somebody who has had something from the project. */
    private static Person member(String nickname) {
        var person = square.person(nickname);
        db.useTransaction(tx -> tx.update("""
                        INSERT INTO inbox.preferences (user_id, namespace_id, action, delivery)
                        VALUES (:user, 101, 4, 'on')
                        """)
                .bind("user", Long.parseUnsignedLong(person.id(), 16))
                .execute());
        return person;
    }

    @Test
    void preferencesComeBackAsTheyWereSetAndAreReplacedAsAWhole() {
        var ann = member("Ann");
        var set = ann.api().put(PREFERENCES, """
                {"preferences": [
                    {"namespace": null, "action": "build_failed", "delivery": "off"},
                    {"namespace": "0000000000000064", "action": null, "delivery": "email"},
                    {"namespace": "0000000000000065", "action": "mentioned", "delivery": "on"}]}
                """);
        assertThat(set.outcome()).as(set.body()).isEqualTo("200");
        assertThat(set.body()).isEqualTo("""
                {"preferences":[{"namespace":null,"path":null,"action":"build_failed","delivery":"off"},\
                {"namespace":"0000000000000064","path":"group","action":null,"delivery":"email"},\
                {"namespace":"0000000000000065","path":"group/project","action":"mentioned","delivery":"on"}]}""");
        assertThat(ann.api().get(PREFERENCES).body()).isEqualTo(set.body());
        assertThat(ann.api().put(PREFERENCES, set.body()).body()).isEqualTo(set.body());
        assertThat(ann.api().put(PREFERENCES, "{\"preferences\": []}").body()).isEqualTo("{\"preferences\":[]}");
    }

    @Test
    void oneIsSetAndTakenBackByItself() {
        var ann = square.person("Ann");
        assertThat(ann.api()
                        .put(PREFERENCES + "/all/assigned", "{\"delivery\": \"email\"}")
                        .outcome())
                .isEqualTo("204");
        assertThat(ann.api()
                        .put(PREFERENCES + "/all/assigned", "{\"delivery\": \"off\"}")
                        .outcome())
                .isEqualTo("204");
        assertThat(ann.api()
                        .put(PREFERENCES + "/all/all", "{\"delivery\": \"on\"}")
                        .outcome())
                .isEqualTo("204");
        assertThat(ann.api().get(PREFERENCES).body()).isEqualTo("""
                {"preferences":[{"namespace":null,"path":null,"action":null,"delivery":"on"},\
                {"namespace":null,"path":null,"action":"assigned","delivery":"off"}]}""");
        assertThat(ann.api().delete(PREFERENCES + "/all/assigned").outcome()).isEqualTo("204");
        assertThat(ann.api().delete(PREFERENCES + "/all/all").outcome()).isEqualTo("204");
        assertThat(ann.api().get(PREFERENCES).body()).isEqualTo("{\"preferences\":[]}");
    }

    @Test
    void aNamespaceThatOneHasNothingFromIsAnsweredAsOneThatIsNotThere() {
        var ann = member("Ann");
        var off = "{\"delivery\": \"off\"}";
        assertThat(ann.api().put(PREFERENCES + "/0000000000000066/all", off).outcome())
                .isEqualTo("404 inbox.namespace-not-found");
        assertThat(ann.api().put(PREFERENCES + "/0000000000009999/all", off).outcome())
                .isEqualTo("404 inbox.namespace-not-found");
        assertThat(ann.api().put(PREFERENCES + "/0000000000000064/all", off).outcome())
                .isEqualTo("204");
        assertThat(square.admin
                        .api()
                        .put(PREFERENCES + "/0000000000000066/all", off)
                        .outcome())
                .isEqualTo("204");
        assertThat(square.admin
                        .api()
                        .put(PREFERENCES + "/0000000000009999/all", off)
                        .outcome())
                .isEqualTo("404 inbox.namespace-not-found");
    }

    @Test
    void whatIsNotAPreferenceIsRefused() {
        var ann = square.person("Ann");
        assertThat(ann.api()
                        .put(PREFERENCES + "/all/shouted", "{\"delivery\": \"off\"}")
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(ann.api()
                        .put(PREFERENCES + "/all/all", "{\"delivery\": \"pigeon\"}")
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(ann.api()
                        .put(PREFERENCES + "/x/all", "{\"delivery\": \"off\"}")
                        .outcome())
                .isEqualTo("400 id.malformed");
        assertThat(ann.api().put(PREFERENCES, """
                {"preferences": [{"delivery": "off"}, {"delivery": "on"}]}
                """).outcome()).isEqualTo("400 inbox.invalid");
        assertThat(square.anonymous().get(PREFERENCES).outcome()).isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void keepingResolvedItemsIsASettingOfEachUser() {
        var ann = square.person("Ann");
        var ben = square.person("Ben");
        assertThat(ann.api().get(SETTINGS).body()).isEqualTo("{\"keepMoot\":false}");
        assertThat(ann.api().put(SETTINGS, "{\"keepMoot\": true}").body()).isEqualTo("{\"keepMoot\":true}");
        assertThat(ann.api().get(SETTINGS).body()).isEqualTo("{\"keepMoot\":true}");
        assertThat(ben.api().get(SETTINGS).body()).isEqualTo("{\"keepMoot\":false}");
        assertThat(square.anonymous().put(SETTINGS, "{\"keepMoot\": true}").outcome())
                .isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void adminsHaveAnItemOfALateBackupUntilOneIsInTime() {
        var person = square.person("No admin");
        append("backup-late");
        append("backup-verification-failed");
        awaitItems(
                "todo", "backup_late hiroba/backups /admin/system", "backup_unverified hiroba/backups /admin/system");
        append("backup-in-time");
        awaitItems("todo", "backup_unverified hiroba/backups /admin/system");
        append("backup-verified");
        awaitItems("todo");
        assertThat(person.api().get("/api/v1/inbox").json().path("items")).isEmpty();
    }

    private static void append(String type) {
        square.server.database().db().useTransaction(tx -> new EventLog().append(tx, NewEvent.of(0, type)));
    }

    private static void awaitItems(String state, String... expected) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(square.admin
                                .api()
                                .get("/api/v1/inbox?state=" + state)
                                .json()
                                .path("items")
                                .valueStream()
                                .map(item -> item.path("action").asString() + " "
                                        + item.at("/resource/title").asString() + " "
                                        + item.at("/resource/url").asString())
                                .filter(item -> item.startsWith("backup")))
                        .containsExactlyInAnyOrder(expected));
    }
}
