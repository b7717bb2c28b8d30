package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Person;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A source as its owner was told it is.
 *
 * @param passages what its chunks must say, in order
 */
record Holding(long id, Person owner, List<String> passages, boolean isPublic, boolean isDeleted) {

    /** The same with other passages. */
    Holding with(List<String> others) {
        return new Holding(id, owner, others, isPublic, isDeleted);
    }

    Holding shown(boolean toAll) {
        return new Holding(id, owner, passages, toAll, isDeleted);
    }

    Holding deleted() {
        return new Holding(id, owner, passages, isPublic, true);
    }

    /** The Markdown that falls into these passages: a section each, of which no chunk has two. */
    static String text(List<String> passages) {
        return passages.stream().map(passage -> "# " + passage).collect(Collectors.joining("\n\n"));
    }

    @Override
    public String toString() {
        return "source %s of %s".formatted(Ids.hex(id), owner.hex());
    }
}
