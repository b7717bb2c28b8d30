package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of an app, which OAuth calls its client_id. */
record AppId(long value) implements SnowflakeId {

    static AppId parse(String hex) {
        return new AppId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
