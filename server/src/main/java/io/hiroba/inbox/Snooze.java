package io.hiroba.inbox;

import io.hiroba.inbox.fanout.SnoozeEvent;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** The end of a snooze: a time, or an event of the item's resource. */
public sealed interface Snooze {

    record Until(Instant time) implements Snooze {}

    record Preset(SnoozePreset preset) implements Snooze {}

    record UntilEvent(SnoozeEvent value) implements Snooze {}

    static Snooze until(Instant time) {
        return new Until(time);
    }

    /** By name, for example {@code tomorrow}; an unknown name is a problem. */
    static Snooze preset(String name) {
        return new Preset(SnoozePreset.parse(name));
    }

    static Snooze untilEvent(SnoozeEvent event) {
        return new UntilEvent(event);
    }

    /** The time at which it ends in {@code zone}; empty if an event ends it. */
    default Optional<Instant> end(Instant now, ZoneId zone) {
        return switch (this) {
            case Until until -> Optional.of(until.time());
            case Preset preset -> Optional.of(preset.preset().end(now, zone));
            case UntilEvent _ -> Optional.empty();
        };
    }

    default Optional<SnoozeEvent> event() {
        return this instanceof UntilEvent event ? Optional.of(event.value()) : Optional.empty();
    }
}
