package io.hiroba.activity.settings;

import io.hiroba.activity.Kind;
import io.hiroba.activity.digest.Digest;
import java.util.Set;

/** What somebody wants to be told in general; who never said anything wants every kind, and no mail. */
public record Preferences(Set<Kind> mutedKinds, Digest digest) {

    public static final Preferences DEFAULT = new Preferences(Set.of(), Digest.OFF);

    public Preferences {
        mutedKinds = Set.copyOf(mutedKinds);
    }
}
