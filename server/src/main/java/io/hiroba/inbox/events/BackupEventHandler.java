package io.hiroba.inbox.events;

import io.hiroba.accounts.Admins;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Notifies admins of backups that are late or could not be restored on trial, until one is in time or is restored. */
final class BackupEventHandler implements HirobaEvents.Handler {

    private static final Map<String, Action> BEGUN =
            Map.of("backup-late", Action.BACKUP_LATE, "backup-verification-failed", Action.BACKUP_UNVERIFIED);
    private static final Map<String, Action> ENDED =
            Map.of("backup-in-time", Action.BACKUP_LATE, "backup-verified", Action.BACKUP_UNVERIFIED);

    private final HirobaResources resources;
    private final Admins admins = new Admins();

    BackupEventHandler(HirobaResources resources) {
        this.resources = resources;
    }

    @Override
    public Set<String> types() {
        var types = new TreeSet<>(BEGUN.keySet());
        types.addAll(ENDED.keySet());
        return types;
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        var backups = resources.mirrorNamespace(tx, "hiroba/backups", "/admin/system");
        for (var event : events) {
            var at = HirobaResources.happenedAt(event);
            var begun = BEGUN.get(event.type());
            var ended = ENDED.get(event.type());
            if (begun != null) {
                resources.notify(tx, backups, begun, NotificationAuthor.NOBODY, admins.all(tx), at);
            } else if (ended != null) {
                resources.autoResolve(tx, backups, Set.of(ended), at);
            }
        }
    }
}
