package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A source as acknowledged to its owner.
 *
 * @param passages the expected contents of its chunks, in order
 */
record ExpectedSource(long id, ChaosUser owner, List<String> passages, boolean isPublic, boolean isDeleted) {

    ExpectedSource withPassages(List<String> others) {
        return new ExpectedSource(id, owner, others, isPublic, isDeleted);
    }

    ExpectedSource withVisibility(boolean visible) {
        return new ExpectedSource(id, owner, passages, visible, isDeleted);
    }

    ExpectedSource deleted() {
        return new ExpectedSource(id, owner, passages, isPublic, true);
    }

    /** The Markdown that is chunked into these passages: a section each, since no chunk spans two. */
    static String text(List<String> passages) {
        return passages.stream().map(passage -> "# " + passage).collect(Collectors.joining("\n\n"));
    }

    @Override
    public String toString() {
        return "source %s of %s".formatted(Ids.hex(id), owner.hex());
    }
}
