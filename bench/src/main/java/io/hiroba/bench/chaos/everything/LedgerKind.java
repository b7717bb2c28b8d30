package io.hiroba.bench.chaos.everything;

import static io.hiroba.bench.chaos.everything.LedgerWrite.find;
import static io.hiroba.bench.chaos.everything.LedgerWrite.post;
import static io.hiroba.bench.chaos.everything.LedgerWrite.postWithoutKey;
import static io.hiroba.bench.chaos.everything.LedgerWrite.put;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A feature that entries are written through, and read back from. */
enum LedgerKind {
    POST("/api/v1/posts?ownedBy={writer}", post("/api/v1/posts", "{'content': '{entry}'}")),

    LIKE(
            "/api/v1/users/{writer}/liked-posts",
            post("/api/v1/posts", "{'content': '{entry}'}"),
            post("/api/v1/posts/{id}/like", "")),

    ACCOUNT(
            "/api/v1/users?order=newest",
            post(
                    "/api/v1/users",
                    "{'email': '{entry}@square.example', 'nickname': '{entry}', 'password': 'a long password'}")),

    FOLLOW(
            "/api/v1/users/{writer}/followees",
            post(
                    "/api/v1/users",
                    "{'email': '{entry}@square.example', 'nickname': '{entry}', 'password': 'a long password'}"),
            post("/api/v1/users/{id}/follow", "")),

    MESSAGE(
            "/api/v1/messages/threads/{thread}/messages",
            post("/api/v1/messages/threads/{thread}/messages", "{'content': '{entry}'}")),

    /** An image, found again by its id. It is uploaded again if a server dies meanwhile. */
    IMAGE(true, "\"id\":\"(\\w{16})\"", "/api/v1/images", LedgerWrite.image("/api/v1/images")),

    RECORD(
            "/api/v1/projects/{project}/records/ledger",
            post("/api/v1/projects/{project}/records/ledger", "{'text': '{entry}'}")),

    /** A record with a file, found again by the name of the file. */
    ATTACHMENT(
            false,
            "\"name\":\"(attachment-\\d+)\"",
            "/api/v1/projects/{project}/records/ledger",
            LedgerWrite.file("/api/v1/projects/{project}/attachments"),
            post("/api/v1/projects/{project}/records/ledger", "{'text': 'with {entry}', 'files': ['{id}']}")),

    SAGA("/api/v1/sagas?workflowName=ledger&status=COMPLETED", saga("ledger")),

    APPROVAL(
            "/api/v1/sagas?workflowName=ledger-approved&status=COMPLETED",
            saga("ledger-approved"),
            find("/api/v1/inbox?type=saga"),
            post("/api/v1/inbox/{id}/approve", "{}")),

    /** A schedule that is triggered once; it is found again by the id of the saga that this starts. */
    SCHEDULE(
            true,
            "\"id\":\"([0-9a-f-]{36})\"",
            "/api/v1/sagas?workflowName=ledger-scheduled&status=COMPLETED",
            post("/api/v1/schedules", "{'name': '{entry}', 'workflow': 'ledger-scheduled', 'cron': '0 0 1 1 *'}"),
            post("/api/v1/schedules/{id}/trigger", "")),

    /** A saga whose end a webhook is told of; it is read from what the receiver got. */
    EVENT("", saga("ledger-told")),

    ITEM(
            "/api/v1/inbox?type=issue",
            put("/api/v1/inbox/resources/issue/{entry}", "{'title': '{entry}', 'namespace': 'ledger'}"),
            post(
                    "/api/v1/inbox/notify",
                    "{'user': '{writer}', 'action': 'mentioned', 'resourceType': 'issue', 'resource': '{entry}'}")),

    /** An item that is done, found again by its id. */
    DONE(
            true,
            "\"id\":\"(\\w{16})\"",
            "/api/v1/inbox?state=done&type=post",
            post("/api/v1/posts", "{'content': '{entry}'}"),
            post("/api/v1/inbox/mark", "{'resourceType': 'post', 'resource': '{id}'}"),
            post("/api/v1/inbox/{id}/done", "")),

    /** A call of GitLab, whose issue becomes an item of its assignee. */
    DELIVERY("/api/v1/inbox?type=issue", LedgerWrite.gitlab("/hooks/gitlab/{gitlab}")),

    SOURCE(
            "/api/v1/knowledge/sources?mine=true",
            post(
                    "/api/v1/knowledge/sources",
                    "{'title': '{entry}', 'text': 'The line {entry} of a ledger.', 'visibility': 'private'}")),

    /** A conversation with a question in it. */
    CHAT(
            false,
            "\"title\":\"(chat-\\d+)\".*\"exchangeCount\":[1-9]",
            "/api/v1/knowledge/conversations",
            post("/api/v1/knowledge/conversations", "{'title': '{entry}'}"),
            postWithoutKey("/api/v1/knowledge/conversations/{id}/messages", "{'question': 'Which line is {entry}?'}")),

    /** A post that an agent answers; it is found again by the agent's reply. */
    QUESTION(
            true,
            "\"replyTo\":\"(\\w+)\"",
            "/api/v1/posts?ownedBy={agent}&includeReplies=true",
            post("/api/v1/posts", "{'content': '@" + LedgerPlaces.AGENT + " {entry}'}"));

    private final boolean byId;
    private final Pattern marks;
    private final String list;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<LedgerWrite> writes;

    LedgerKind(String list, LedgerWrite... writes) {
        this.byId = false;
        this.marks = Pattern.compile("(\\b" + word() + "-\\d+)");
        this.list = list;
        this.writes = List.of(writes);
    }

    /**
     * @param byId whether an entry is found again by the last id that the requests answered with
     * @param marks finds what an entry is found again by in an item of the list
     */
    LedgerKind(boolean byId, String marks, String list, LedgerWrite... writes) {
        this.byId = byId;
        this.marks = Pattern.compile(marks);
        this.list = list;
        this.writes = List.of(writes);
    }

    private static LedgerWrite saga(String workflow) {
        return post(
                "/api/v1/sagas",
                "{'workflowName': '%s', 'payload': {'entry': '{entry}'}, 'correlationId': '{entry}'}"
                        .formatted(workflow));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The text of an entry. */
    String entry(long number) {
        return word() + "-" + number;
    }

    /** Whether there may be more than was acknowledged, of requests that nobody answered. */
    boolean mayBeRepeated() {
        return this == IMAGE;
    }

    /** The requests that write an entry, one after the other. */
    List<LedgerWrite> writes() {
        return writes;
    }

    /** What an entry is found again by. */
    String mark(String entry, String id) {
        return byId ? id : entry;
    }

    /** Finds the mark in an item of the list. */
    Pattern marks() {
        return marks;
    }

    /** The list of everything that was written; empty if it is in no list of the API. */
    String list() {
        return list;
    }
}
