package io.hiroba.social;

import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;

/** An item of a list with its position. */
public record Listed<T>(T item, Position position) {

    /** The list of this name, whose cursors are the positions of its items. */
    static <T> KeysetList<Listed<T>, Position> keysetList(Cursors cursors, String name) {
        return new KeysetList<>(
                cursors, name, Position::of, listed -> listed.position().cursor());
    }
}
