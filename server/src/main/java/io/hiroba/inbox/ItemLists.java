package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists a user's items page by page. */
public final class ItemLists {

    private final Db db;
    private final Namespaces namespaces;
    private final ResourceMirror resources;
    private final ItemListStore store = new ItemListStore();
    private final ItemPartitionStore partitions = new ItemPartitionStore();
    private final ItemAuthorStore authors = new ItemAuthorStore();

    public ItemLists(Db db, Namespaces namespaces, ResourceMirror resources) {
        this.db = db;
        this.namespaces = namespaces;
        this.resources = resources;
    }

    ItemPage page(UserId user, InboxFilter filter, Optional<ItemPosition> after, int limit) {
        var entries = db.read(reads -> resolve(reads, user, filter)
                .map(resolved -> store.page(reads, resolved, after, limit + 1))
                .orElse(List.of()));
        return new ItemPage(
                entries.stream()
                        .filter(ItemListStore.Entry::matched)
                        .limit(limit)
                        .map(entry -> Objects.requireNonNull(entry.item()))
                        .toList(),
                next(entries, limit));
    }

    /** The entries of a page, without the items. */
    List<ItemListStore.Entry> scan(ResolvedInboxFilter resolved, Optional<ItemPosition> after, int limit) {
        return db.read(reads -> store.scan(reads, resolved, after, limit + 1));
    }

    /** The position after {@code limit} of these entries, if there are more. */
    Optional<ItemPosition> next(List<ItemListStore.Entry> entries, int limit) {
        if (entries.size() > limit && entries.get(limit).matched()) {
            return Optional.of(entries.get(limit - 1).position());
        }
        return entries.isEmpty() || entries.getLast().place() < ItemIndexScan.MAX_ENTRIES
                ? Optional.empty()
                : Optional.of(entries.getLast().position());
    }

    /** Empty if its resource does not exist, so that resources cannot be probed. */
    Optional<ResolvedInboxFilter> resolve(UserId user, InboxFilter filter) {
        return db.read(reads -> resolve(reads, user, filter));
    }

    private Optional<ResolvedInboxFilter> resolve(Reads reads, UserId user, InboxFilter filter) {
        var resource =
                filter.resource() == null ? Optional.<Resource>empty() : resources.find(reads, filter.resource());
        if (filter.resource() != null && resource.isEmpty()) {
            return Optional.empty();
        }
        @Nullable ResourceType type = resource.map(Resource::type).orElse(null);
        return Optional.of(ResolvedInboxFilter.of(
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

    private ItemAuthorStore.Authors authors(Reads reads, String text) {
        return Ids.isId(text) ? authors.byId(reads, UserId.parse(text)) : authors.byName(reads, text);
    }
}
