package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** Handles reactions, which resolve the items of the person who reacts. Revoking one restores nothing. */
final class EmojiEvents implements GitlabEvents.Handler {

    private final GitlabPeople people;
    private final GitlabMirror mirror;
    private final AutoResolver resolver;

    EmojiEvents(GitlabPeople people, GitlabMirror mirror, AutoResolver resolver) {
        this.people = people;
        this.mirror = mirror;
        this.resolver = resolver;
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var attributes = event.attributes();
        if (event.action().equals("revoke")
                || JsonFields.text(event.root(), "event_type").equals("revoke")) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.revoked-reaction"));
        }
        var url = JsonFields.find(attributes, "awarded_on_url").orElse(null);
        var target = mirror.target(event, url);
        var note = event.root().path("note");
        var about = JsonFields.id(note)
                .map(id -> mirror.note(event, note, id, target.map(Resource::id).orElse(null))
                        .resource())
                .or(() -> target);
        var actor = people.actor(event).or(() -> people.numbered(event, attributes, "user_id"));
        if (about.isEmpty() || actor.isEmpty()) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.no-reaction-target"));
        }
        var at = event.time(attributes, "created_at", "updated_at").orElse(event.receivedAt());
        resolver.recordActivity(event.tx(), about.get(), actor.get(), at, List.of());
        resolver.wakeSnoozed(event.tx(), target.orElse(about.get()), SnoozeEvent.ANY, event.receivedAt());
        return DeliveryOutcome.handled(Text.of(
                "inbox.outcome.reaction",
                "type",
                about.get().type().text(),
                "id",
                about.get().externalId()));
    }
}
