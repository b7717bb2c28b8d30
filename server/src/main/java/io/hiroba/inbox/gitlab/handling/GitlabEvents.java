package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.gitlab.deliveries.Call;
import io.hiroba.inbox.gitlab.deliveries.DeliveryHandler;
import io.hiroba.inbox.gitlab.deliveries.EventKind;
import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.db.Tx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** GitLab's events, each handled by what knows its kind. What nobody knows is ignored, and counted. */
public final class GitlabEvents implements DeliveryHandler {

    private final Places places;
    private final Map<String, EventHandler> handlers = new HashMap<>();

    public GitlabEvents(
            Namespaces namespaces,
            Resources resources,
            People people,
            Notifier notifier,
            Resolver resolver,
            Members members) {
        places = new Places(namespaces);
        var persons = new Persons(people);
        var mirror = new Mirror(resources, places);
        var teller = new Teller(notifier, resolver);
        var casting = new Casting(resources, teller);
        var stewards = new Stewards(members, teller);
        var pipelines = new PipelineEvents(persons, mirror, new Pipelines(resources, people, teller));
        put(new IssueEvents(persons, mirror, resources, casting, teller), "issue", "work_item", "epic");
        put(new NoteEvents(persons, mirror, resources, teller), "note");
        put(
                new MergeRequestEvents(
                        persons,
                        mirror,
                        resources,
                        casting,
                        teller,
                        new Approvals(persons, resources, casting, teller),
                        new MergeChecks(people, teller)),
                "merge_request");
        put(pipelines::pipeline, "pipeline");
        put(pipelines::job, "build", "job");
        put(new PushEvents(persons, mirror, teller), "push");
        put(new EmojiEvents(persons, mirror, teller), "emoji");
        put(new TokenEvents(places, mirror, stewards), "access_token");
        put(new KeyEvents(places, resources), "key_create", "key_destroy");
        put(
                new MemberEvents(persons, places, mirror, teller, stewards, members),
                "user_add_to_group",
                "user_update_for_group",
                "user_remove_from_group",
                "user_access_request_to_group",
                "user_access_request_denied_for_group",
                "user_access_request_revoked_for_group",
                "user_add_to_team",
                "user_update_for_team",
                "user_remove_from_team",
                "user_access_request_to_project",
                "user_access_request_denied_for_project",
                "user_access_request_revoked_for_project");
        put(
                new NamespaceEvents(places),
                "project_create",
                "project_destroy",
                "project_rename",
                "project_transfer",
                "project_update",
                "subgroup_create",
                "subgroup_destroy",
                "group_create",
                "group_destroy",
                "group_rename");
    }

    private void put(EventHandler handler, String... kinds) {
        List.of(kinds).forEach(kind -> handlers.put(kind, handler));
    }

    @Override
    public Outcome handle(Tx tx, Call call) {
        var root = EventKind.read(call.payload());
        var kind = kind(call.event());
        var handler = handlers.get(kind);
        if (handler == null) {
            return Outcome.ignored("Nothing is known of events of this kind.");
        }
        var event = new Event(tx, call.connection(), kind, root, call.receivedAt());
        return places.isGone(event) && !kind.endsWith("_destroy")
                ? Outcome.ignored("It is about a project that was deleted.")
                : handler.handle(event);
    }

    /** Without a body that says its kind, the header does, in other words: {@code confidential_issue_hook}. */
    private static String kind(String event) {
        var kind = event.replaceFirst("^confidential_", "").replaceFirst("_hook$", "");
        return kind.equals("merge_requests") ? "merge_request" : kind;
    }
}
