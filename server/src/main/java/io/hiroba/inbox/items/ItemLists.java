package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists of somebody's items, page by page. */
public final class ItemLists {

    private final Db db;
    private final Namespaces namespaces;
    private final Resources resources;
    private final ItemListStore store = new ItemListStore();
    private final Partitions partitions = new Partitions();
    private final AuthorStore authors = new AuthorStore();

    public ItemLists(Db db, Namespaces namespaces, Resources resources) {
        this.db = db;
        this.namespaces = namespaces;
        this.resources = resources;
    }

    ItemPage page(UserId user, InboxFilter filter, Optional<Position> after, int limit) {
        var entries = db.read(reads -> asked(reads, user, filter)
                .map(asked -> store.page(reads, asked, after, limit + 1))
                .orElse(List.of()));
        return new ItemPage(
                entries.stream()
                        .filter(Entry::matched)
                        .limit(limit)
                        .map(entry -> Objects.requireNonNull(entry.item()))
                        .toList(),
                next(entries, limit));
    }

    /** The entries of a page, without what is shown of its items. */
    List<Entry> walk(Asked asked, Optional<Position> after, int limit) {
        return db.read(reads -> store.walk(reads, asked, after, limit + 1));
    }

    /** Where to go on after {@code limit} of these: one more was asked for. */
    Optional<Position> next(List<Entry> entries, int limit) {
        if (entries.size() > limit && entries.get(limit).matched()) {
            return Optional.of(entries.get(limit - 1).position());
        }
        return entries.isEmpty() || entries.getLast().place() < Walk.BUDGET
                ? Optional.empty()
                : Optional.of(entries.getLast().position());
    }

    /** Nothing if it asks for what there is not: nobody learns from the answer which resources there are. */
    Optional<Asked> asked(UserId user, InboxFilter filter) {
        return db.read(reads -> asked(reads, user, filter));
    }

    private Optional<Asked> asked(Reads reads, UserId user, InboxFilter filter) {
        var about = filter.resource() == null ? Optional.<Resource>empty() : resources.find(reads, filter.resource());
        if (filter.resource() != null && about.isEmpty()) {
            return Optional.empty();
        }
        @Nullable ResourceType type = about.map(Resource::type).orElse(null);
        return Optional.of(Asked.of(
                user,
                filter,
                filter.namespace() == null
                        ? null
                        : namespaces.within(reads, filter.namespace()).stream()
                                .map(NamespaceId::value)
                                .toList(),
                filter.author() == null ? null : authors(reads, filter.author()),
                type,
                partitions.of(reads, user)));
    }

    private Authors authors(Reads reads, String text) {
        return Ids.isId(text) ? authors.byId(reads, UserId.parse(text)) : authors.byName(reads, text);
    }
}
