package io.hiroba.inbox.items;

import io.hiroba.inbox.fanout.Stir;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** Until when an item is put off: until a time, or until something happens to what it is about. */
public sealed interface Snooze {

    record Until(Instant time) implements Snooze {}

    record Preset(SnoozePreset preset) implements Snooze {}

    record UntilEvent(Stir stir) implements Snooze {}

    static Snooze until(Instant time) {
        return new Until(time);
    }

    /** By its name, for example {@code tomorrow}; one that there is not is a problem. */
    static Snooze preset(String name) {
        return new Preset(SnoozePreset.parse(name));
    }

    static Snooze untilEvent(Stir stir) {
        return new UntilEvent(stir);
    }

    /** When it ends, for somebody who lives in {@code zone}; none if only something that happens ends it. */
    default Optional<Instant> end(Instant now, ZoneId zone) {
        return switch (this) {
            case Until until -> Optional.of(until.time());
            case Preset preset -> Optional.of(preset.preset().end(now, zone));
            case UntilEvent _ -> Optional.empty();
        };
    }

    default Optional<Stir> event() {
        return this instanceof UntilEvent event ? Optional.of(event.stir()) : Optional.empty();
    }
}
