package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.ParticipantRole;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles comments: notifies the people they mention, and resolves items of their author. */
final class NoteEvents implements GitlabEvents.Handler {

    private static final String REMOVED_FROM_TRAIN = "removed this merge request from the merge train";

    private final GitlabPeople people;
    private final GitlabMirror mirror;
    private final ResourceMirror resources;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final EventStateStore state = new EventStateStore();

    NoteEvents(GitlabPeople people, GitlabMirror mirror, Fanout fanout) {
        this.people = people;
        this.mirror = mirror;
        resources = fanout.resources();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var attributes = event.attributes();
        var id = JsonFields.id(attributes);
        if (id.isEmpty()) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.comment-without-id"));
        }
        var target = mirror.target(event, JsonFields.find(attributes, "url").orElse(null));
        if (JsonFields.flag(attributes, "system")) {
            return system(event, target);
        }
        var at = event.at(attributes);
        var actor = people.actor(event).or(() -> people.numbered(event, attributes, "author_id"));
        var mirrored = mirror.note(
                event, attributes, id.get(), target.map(Resource::id).orElse(null));
        var note = mirrored.resource();
        var mentions = GitlabMentions.of(JsonFields.rawText(attributes, "note"));
        var author = NotificationAuthor.of(actor);
        notifyMentioned(event, note, Action.DIRECTLY_ADDRESSED, people.named(event, mentions.addressed()), author, at);
        notifyMentioned(event, note, Action.MENTIONED, people.named(event, mentions.mentioned()), author, at);
        var about = target.orElse(note);
        actor.ifPresent(person -> resolver.recordActivity(event.tx(), about, person, at, List.of()));
        if (mirrored.newest()) {
            resolver.wakeSnoozed(event.tx(), about, SnoozeEvent.COMMENT, event.receivedAt());
        }
        return DeliveryOutcome.handled(Text.of("inbox.outcome.comment", "id", id.get()));
    }

    /** Notifies people who are mentioned for the first time. An earlier version that arrives late replaces the time. */
    private void notifyMentioned(
            GitlabEvent event,
            Resource note,
            Action action,
            List<ExternalPerson> named,
            NotificationAuthor author,
            Instant at) {
        var tx = event.tx();
        var request = NotificationRequest.of(note, action, author, at);
        var fresh = new ArrayList<ExternalPerson>();
        for (var person : named) {
            var since = state.mentionedAt(tx, note.id(), person.id());
            if (since.isPresent() && !at.isBefore(since.get())) {
                continue;
            }
            if (since.isPresent()) {
                notifier.moveMention(tx, person, since.get(), request);
            } else {
                fresh.add(person);
            }
            state.saveMention(tx, note.id(), person.id(), at);
        }
        notifier.notifyOnce(tx, request, fresh);
    }

    /** Handles system notes, by which GitLab reports some of its own actions. */
    private DeliveryOutcome system(GitlabEvent event, Optional<Resource> target) {
        var text = JsonFields.text(event.attributes(), "note");
        if (target.isEmpty()
                || target.get().type() != ResourceType.MERGE_REQUEST
                || !text.contains(REMOVED_FROM_TRAIN)) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.system-note"));
        }
        var tx = event.tx();
        var request = target.get();
        var owners = new ArrayList<ExternalPerson>(resources.participants(tx, request.id(), ParticipantRole.AUTHOR));
        owners.addAll(resources.participants(tx, request.id(), ParticipantRole.ASSIGNEE));
        if (owners.isEmpty()) {
            people.numbered(event, event.root().path("merge_request"), "author_id")
                    .ifPresent(owners::add);
        }
        var at = event.at(event.attributes());
        notifier.notifyOnce(
                tx,
                NotificationRequest.of(
                        request, Action.MERGE_TRAIN_REMOVED, NotificationAuthor.of(people.actor(event)), at),
                owners);
        return DeliveryOutcome.handled(Text.of("inbox.outcome.left-train", "id", request.externalId()));
    }
}
