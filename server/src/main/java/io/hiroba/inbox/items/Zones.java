package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import java.time.DateTimeException;
import java.time.ZoneId;

/** Which days people live by. */
public final class Zones {

    private final ZoneId otherwise;
    private final ItemStore store = new ItemStore();

    /** @param otherwise for those who have not said where they live */
    public Zones(ZoneId otherwise) {
        this.otherwise = otherwise;
    }

    ZoneId of(Reads reads, UserId user) {
        return store.zone(reads, user).map(this::known).orElse(otherwise);
    }

    /** A node with newer rules may have taken a zone that this one does not know. */
    private ZoneId known(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            return otherwise;
        }
    }
}
