package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.gitlab.deliveries.Outcome;

/** Access tokens of groups and projects that are about to expire. */
final class TokenEvents implements EventHandler {

    private final Places places;
    private final Mirror mirror;
    private final Stewards stewards;

    TokenEvents(Places places, Mirror mirror, Stewards stewards) {
        this.places = places;
        this.mirror = mirror;
        this.stewards = stewards;
    }

    /** When it is told is not said: it is told when it comes. */
    @Override
    public Outcome handle(Event event) {
        var at = event.receivedAt();
        var namespace = places.of(event, at);
        var url = Fields.find(event.root().path("project"), "web_url").orElse(null);
        var resource = mirror.group(event, namespace, url);
        stewards.tell(event.tx(), namespace.id(), News.of(resource, Action.ACCESS_TOKEN_EXPIRING, Author.NOBODY, at));
        return Outcome.handled(
                "Token %s of %s expires".formatted(Fields.text(event.attributes(), "name"), namespace.path()));
    }
}
