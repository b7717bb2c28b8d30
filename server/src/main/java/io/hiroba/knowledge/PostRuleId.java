package io.hiroba.knowledge;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a post rule. */
public record PostRuleId(long value) implements SnowflakeId {

    public static PostRuleId parse(String hex) {
        return new PostRuleId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
