package io.hiroba.activity;

import java.util.Set;

/** The notification preferences of a user: every kind and no digest by default. */
public record Preferences(Set<NotificationKind> mutedKinds, DigestFrequency digest) {

    static final Preferences DEFAULT = new Preferences(Set.of(), DigestFrequency.OFF);

    public Preferences {
        mutedKinds = Set.copyOf(mutedKinds);
    }
}
