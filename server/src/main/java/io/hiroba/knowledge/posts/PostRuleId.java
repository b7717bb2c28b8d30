package io.hiroba.knowledge.posts;

import io.hiroba.platform.id.Ids;

/** A post rule's id. */
public record PostRuleId(long value) {

    public static PostRuleId parse(String hex) {
        return new PostRuleId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
