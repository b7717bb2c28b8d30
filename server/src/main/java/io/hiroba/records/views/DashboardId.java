package io.hiroba.records.views;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a dashboard. */
public record DashboardId(long value) implements SnowflakeId {

    public static DashboardId parse(String hex) {
        return new DashboardId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
