package io.hiroba.inbox;

import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class InboxApiTest {

    private static final String PATH = "/api/v1/inbox";

    private InboxServer server;
    private TestInbox test;

    @BeforeAll
    void open() {
        server = new InboxServer();
        test = server.inbox;
    }

    @AfterAll
    void close() {
        assertThat(test.miscounted()).isEmpty();
        server.close();
    }

    /** Somebody and their API, with an item of each of three kinds. */
    private record Owner(ExternalPerson person, ApiClient api) {

        List<String> ids(String query) {
            var page = api.get(PATH + query);
            assertThat(page.outcome()).as(page.body()).isEqualTo("200");
            return page.json()
                    .path("items")
                    .valueStream()
                    .map(item -> item.path("id").asString())
                    .toList();
        }
    }

    private Owner owner(String name) {
        var person = test.linked(name);
        notifyPerson(person, test.issue("api/" + name, name + "-1"), Action.ASSIGNED);
        notifyPerson(person, test.mergeRequest("api/" + name + "/deep", name + "-2"), Action.REVIEW_REQUESTED);
        notifyPerson(person, test.issue("elsewhere/" + name, name + "-3"), Action.MENTIONED);
        return new Owner(person, server.as(Objects.requireNonNull(person.user())));
    }

    private void notifyPerson(ExternalPerson person, Resource about, Action action) {
        test.notifyPeople(NotificationRequest.of(about, action, NotificationAuthor.NOBODY, NOON), person);
        test.accounts.clock.advance(Duration.ofSeconds(1));
    }

    @Test
    void anItemHasTheAgreedFields() {
        var ann = owner("ann1");
        var item = ann.api().get(PATH).json().path("items").path(2);
        assertThat(item.propertyNames())
                .containsExactlyInAnyOrder(
                        "id",
                        "action",
                        "resourceType",
                        "resource",
                        "namespace",
                        "approval",
                        "author",
                        "read",
                        "saved",
                        "snoozedUntil",
                        "snoozedEvent",
                        "resolvedByAction",
                        "state",
                        "createdAt",
                        "updatedAt");
        assertThat(item.path("action").asString()).isEqualTo("assigned");
        assertThat(item.path("resourceType").asString()).isEqualTo("issue");
        assertThat(item.path("resource").path("title").asString()).isEqualTo("Title of ann1-1");
        assertThat(item.path("namespace").path("path").asString()).isEqualTo("api/ann1");
        assertThat(item.path("state").asString()).isEqualTo("todo");
        assertThat(item.path("author").isNull()).isTrue();
    }

    @Test
    void listsAreFilteredOrderedAndPaged() {
        var ann = owner("ann2");
        var all = ann.ids("");
        assertThat(all).hasSize(3);
        assertThat(ann.ids("?sort=newest")).isEqualTo(all);
        assertThat(ann.ids("?sort=oldest")).isEqualTo(all.reversed());
        assertThat(ann.ids("?action=assigned,mentioned")).containsExactly(all.get(0), all.get(2));
        assertThat(ann.ids("?action=assigned&action=mentioned")).containsExactly(all.get(0), all.get(2));
        assertThat(ann.ids("?type=merge_request")).containsExactly(all.get(1));
        assertThat(ann.ids("?state=done")).isEmpty();
        var first = ann.api().get(PATH).json().path("items").path(2);
        assertThat(ann.ids("?namespace=" + first.path("namespace").path("id").asString()))
                .containsExactly(all.get(1), all.get(2));
        assertThat(ann.ids("?resource=" + first.path("resource").path("id").asString()))
                .containsExactly(all.get(2));

        var seen = new ArrayList<String>();
        var query = "?limit=2";
        for (int i = 0; i < 2; i++) {
            seen.addAll(ann.ids(query));
            query = "?limit=2&after=" + ann.api().get(PATH + query).text("next");
        }
        assertThat(seen).isEqualTo(all);
        assertThat(ann.api()
                        .get(PATH + "?sort=newest&after="
                                + ann.api().get(PATH + "?limit=1").text("next"))
                        .outcome())
                .isEqualTo("400 http.bad-cursor");
    }

    @ParameterizedTest
    @CsvSource({
        "state=open, 400 inbox.invalid",
        "action=admired, 400 inbox.invalid",
        "'action=assigned,admired', 400 inbox.invalid",
        "type=thing, 400 inbox.invalid",
        "sort=best, 400 inbox.invalid",
        "namespace=abc, 400 id.malformed",
        "resource=abc, 400 id.malformed",
        "'action=,', 400 inbox.invalid",
        "limit=0, 400 http.invalid",
        "limit=101, 400 http.invalid",
        "after=xyz, 400 http.bad-cursor"
    })
    void whatThereIsNotIsRefused(String query, String outcome) {
        var mia = server.as(test.user("mia"));
        assertThat(mia.get(PATH + "?" + query).outcome()).isEqualTo(outcome);
    }

    @Test
    void countsAreOfOneMomentWhateverIsDoneMeanwhile() throws Exception {
        var eve = owner("eve-counting");
        var caller = test.accounts.caller(Objects.requireNonNull(eve.person().user()));
        var ids = eve.ids("").stream().map(ItemId::parse).toList();
        var counting = new AtomicBoolean(true);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var changes = threads.submit(() -> {
                while (counting.get()) {
                    test.inbox.done(caller, ids, Resolution.MARK_DONE);
                    test.inbox.restore(caller, ids);
                }
            });
            for (int i = 0; i < 200; i++) {
                var counts = eve.api().get(PATH + "/counts").json();
                long todo = counts.path("todo").asLong();
                assertThat(sum(counts.path("actions"))).isEqualTo(todo);
                assertThat(sum(counts.path("types"))).isEqualTo(todo);
                assertThat(todo + counts.path("done").asLong()).isEqualTo(ids.size());
            }
            counting.set(false);
            changes.get();
        }
    }

    private static long sum(JsonNode counts) {
        return counts.valueStream().mapToLong(JsonNode::asLong).sum();
    }

    @Test
    void countsAreThoseOfTheListsWithWhatThereIsToFilterBy() {
        var ann = owner("ann3");
        var all = ann.ids("");
        ann.api().post(PATH + "/" + all.get(0) + "/read", "");
        ann.api().post(PATH + "/" + all.get(1) + "/done", "");
        var counts = ann.api().get(PATH + "/counts");
        assertThat(counts.json()).isEqualTo(Json.mapper().readTree("""
                {"todo": 2, "snoozed": 0, "saved": 0, "done": 1, "unread": 1,
                 "actions": {"assigned": 1, "mentioned": 1}, "types": {"issue": 2}}
                """));
    }

    @Test
    void anItemIsChangedStepByStep() {
        var ann = owner("ann4");
        var one = PATH + "/" + ann.ids("").getFirst();
        assertThat(ann.api().post(one + "/done", "").text("resolvedByAction")).isEqualTo("api_done");
        assertThat(ann.api()
                        .post(one + "/restore", "")
                        .json()
                        .path("resolvedByAction")
                        .isNull())
                .isTrue();
        assertThat(ann.api().post(one + "/save", "").json().path("saved").asBoolean())
                .isTrue();
        assertThat(ann.api().post(one + "/unsave", "").json().path("saved").asBoolean())
                .isFalse();
        assertThat(ann.api().post(one + "/read", "").json().path("read").asBoolean())
                .isTrue();
        assertThat(ann.api().post(one + "/unread", "").json().path("read").asBoolean())
                .isFalse();
        assertThat(ann.api().post(one + "/snooze", "{'untilEvent':'comment'}").text("snoozedEvent"))
                .isEqualTo("comment");
        assertThat(ann.api().post(one + "/snooze", "{'preset':'tomorrow'}").text("state"))
                .isEqualTo("snoozed");
        var until = test.accounts.clock.instant().plus(Duration.ofHours(5));
        var snoozed = ann.api().post(one + "/snooze", "{'until':'%s'}".formatted(until));
        assertThat(snoozed.text("snoozedUntil")).startsWith(until.toString().substring(0, 19));
        assertThat(ann.api().post(one + "/unsnooze", "").text("state")).isEqualTo("todo");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'until':'2020-01-01T00:00:00Z'}",
                "{'until':'2099-01-01T00:00:00Z'}",
                "{'until':'soon'}",
                "{'preset':'never'}",
                "{'untilEvent':'rain'}",
                "{'preset':'1h','untilEvent':'any'}"
            })
    void aSnoozeWithoutAnEndWithinAYearIsRefused(String body) {
        var ann = owner("ann5");
        var id = ann.ids("").getFirst();
        assertThat(ann.api().post(PATH + "/" + id + "/snooze", body).outcome()).isEqualTo("400 inbox.invalid");
        assertThat(ann.ids("")).contains(id);
    }

    @Test
    void onlyAMergeRequestIsSnoozedUntilItIsMerged() {
        var person = test.linked("ann20");
        var ann = new Owner(person, server.as(Objects.requireNonNull(person.user())));
        var issue = test.issue("merge", "merge-1");
        var request = test.mergeRequest("merge", "merge-2");
        notifyPerson(person, issue, Action.ASSIGNED);
        notifyPerson(person, test.comment(issue, "merge-3"), Action.MENTIONED);
        notifyPerson(person, request, Action.ASSIGNED);
        notifyPerson(person, test.comment(request, "merge-4"), Action.MENTIONED);
        var ids = ann.ids("").reversed();
        for (var id : ids.subList(0, 2)) {
            var refused = ann.api().post(PATH + "/" + id + "/snooze", "{'untilEvent':'merge'}");
            assertThat(refused.outcome()).isEqualTo("400 inbox.invalid");
            assertThat(refused.text("detail")).contains("only merge requests that are open can be merged");
            var neverBuilt = ann.api().post(PATH + "/" + id + "/snooze", "{'untilEvent':'pipeline'}");
            assertThat(neverBuilt.text("detail")).contains("only merge requests and commits have pipelines");
        }
        for (var id : ids.subList(2, 4)) {
            assertThat(ann.api()
                            .post(PATH + "/" + id + "/snooze", "{'untilEvent':'merge'}")
                            .text("snoozedEvent"))
                    .isEqualTo("merge");
        }
        assertThat(ann.ids("")).hasSize(2);
        test.db.useTransaction(tx -> test.resolver.wakeSnoozed(tx, request, SnoozeEvent.MERGE));
        assertThat(ann.ids("")).hasSize(4);
        var one = PATH + "/" + ids.getLast() + "/snooze";
        assertThat(ann.api().post(one, "{'untilEvent':'pipeline'}").outcome()).isEqualTo("200");
        test.db.useTransaction(tx -> tx.update("UPDATE inbox.resources SET state = 'merged' WHERE id = :id")
                .bind("id", request.id().value())
                .execute());
        assertThat(ann.api().post(one, "{'untilEvent':'merge'}").outcome()).isEqualTo("400 inbox.invalid");
    }

    @Test
    void onlyOnesOwnItemsAreThereAndOnlyForWhoIsSignedIn() {
        var ann = owner("ann6");
        var bob = owner("bob6");
        var hers = ann.ids("").getFirst();
        for (var action : List.of("done", "restore", "save", "unsave", "read", "unread", "unsnooze")) {
            assertThat(bob.api().post(PATH + "/" + hers + "/" + action, "").outcome())
                    .isEqualTo("404 inbox.item-not-found");
            assertThat(server.anonymous
                            .post(PATH + "/" + hers + "/" + action, "")
                            .status())
                    .isEqualTo(401);
        }
        assertThat(bob.api()
                        .post(PATH + "/" + hers + "/snooze", "{'preset':'1h'}")
                        .outcome())
                .isEqualTo("404 inbox.item-not-found");
        assertThat(ann.api().post(PATH + "/nonsense/done", "").outcome()).isEqualTo("400 id.malformed");
        assertThat(server.anonymous.get(PATH).status()).isEqualTo(401);
        assertThat(server.anonymous.get(PATH + "/counts").status()).isEqualTo(401);
        assertThat(ann.ids("")).contains(hers);
    }

    @Test
    void severalAreChangedTogetherOrNoneIs() {
        var ann = owner("ann7");
        var bob = owner("bob7");
        var all = ann.ids("");
        var stranger = bob.ids("").getFirst();
        var mixed = ann.api().post(PATH + "/bulk", bulk(List.of(all.getFirst(), stranger), "done"));
        assertThat(mixed.outcome()).isEqualTo("404 inbox.item-not-found");
        assertThat(mixed.text("detail")).contains(stranger).doesNotContain(all.getFirst());
        assertThat(ann.ids("")).isEqualTo(all);

        var done = ann.api().post(PATH + "/bulk", bulk(all, "done"));
        assertThat(done.json().path("items").size()).isEqualTo(3);
        assertThat(ann.ids("?state=done")).hasSize(3);
        ann.api().post(PATH + "/bulk", bulk(all, "restore"));
        ann.api().post(PATH + "/bulk", "{'ids':['%s'],'action':'snooze','preset':'4h'}".formatted(all.getFirst()));
        assertThat(ann.ids("?state=snoozed")).containsExactly(all.getFirst());

        assertThat(ann.api()
                        .post(PATH + "/bulk", bulk(Collections.nCopies(101, all.getFirst()), "done"))
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(ann.api().post(PATH + "/bulk", bulk(List.of(), "done")).outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(ann.api().post(PATH + "/bulk", bulk(all, "burn")).outcome()).isEqualTo("400 inbox.invalid");
        var preset = Json.text(Map.of("ids", all, "action", "done", "preset", "1h"));
        assertThat(ann.api().post(PATH + "/bulk", preset).text("detail"))
                .contains("`preset` is only for the action `snooze`");
    }

    private static String bulk(List<String> ids, String action) {
        return Json.text(Map.of("ids", ids, "action", action));
    }

    @Test
    void allThatAFilterShowsIsDoneByTheAddressOrTheBody() {
        var ann = owner("ann8");
        var all = ann.ids("");
        assertThat(ann.api()
                        .post(PATH + "/done-all?type=merge_request", "")
                        .json()
                        .path("done")
                        .asInt())
                .isEqualTo(1);
        assertThat(ann.ids("?state=done")).containsExactly(all.get(1));
        assertThat(ann.api()
                        .post(PATH + "/done-all", "{'action':'assigned'}")
                        .json()
                        .path("done")
                        .asInt())
                .isEqualTo(1);
        assertThat(ann.ids("")).containsExactly(all.getFirst());
        for (var body : List.of("{'action':'admired'}", "{'action':','}")) {
            assertThat(ann.api().post(PATH + "/done-all", body).outcome()).isEqualTo("400 inbox.invalid");
        }
        assertThat(ann.api()
                        .post(PATH + "/done-all?type=merge_request", "{'action':'assigned'}")
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(ann.ids("?resource=0000000000000001")).isEmpty();
        assertThat(ann.api()
                        .get(PATH + "?state=done")
                        .json()
                        .path("items")
                        .path(0)
                        .path("resolvedByAction")
                        .asString())
                .isEqualTo("api_all_done");
    }

    @Test
    void whatWasAskedAgainIsNotRestoredBesideIt() {
        var ann = owner("ann9");
        var id = ann.ids("?action=assigned").getFirst();
        ann.api().post(PATH + "/" + id + "/done", "");
        notifyPerson(ann.person(), test.issue("api/ann9", "ann9-1"), Action.ASSIGNED);
        assertThat(ann.api().post(PATH + "/" + id + "/restore", "").outcome()).isEqualTo("409 inbox.already-pending");
        assertThat(ann.api()
                        .post(PATH + "/" + id + "/snooze", "{'preset':'1h'}")
                        .outcome())
                .isEqualTo("409 inbox.item-done");
    }
}
