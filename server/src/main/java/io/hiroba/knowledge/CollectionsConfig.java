package io.hiroba.knowledge;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;

/** The configuration of collections. */
public record CollectionsConfig(
        @Default("100") @Doc("Collections that a user may own; admins may own any number.")
        int perUser,

        @Default("1000") @Doc("Members that a collection may have.")
        int members) {

    public CollectionsConfig {
        if (perUser < 1 || members < 1) {
            throw new IllegalArgumentException("per-user and members must be at least 1");
        }
    }
}
