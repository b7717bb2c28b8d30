package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.gitlab.deliveries.Outcome;

/** Does what one kind of event asks for. */
@FunctionalInterface
interface EventHandler {

    Outcome handle(Event event);
}
