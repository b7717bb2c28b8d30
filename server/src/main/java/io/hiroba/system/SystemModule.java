package io.hiroba.system;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.config.EffectiveSetting;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import java.util.List;
import java.util.stream.Stream;

/** The module of the system's state and settings. */
public final class SystemModule implements FeatureModule {

    private final SystemState state;
    private final List<EffectiveSetting> settings;
    private final UpdatesConfig updates;
    private final ReleaseCheck releases;

    /**
     * With what the platform does not hand to features.
     *
     * @param modules those that contribute lines
     */
    public SystemModule(
            Platform platform,
            WorkerLease lease,
            Events events,
            List<? extends FeatureModule> modules,
            List<EffectiveSetting> settings,
            UpdatesConfig updates) {
        this.updates = updates;
        this.releases = new ReleaseCheck(updates, platform.meters());
        this.state = new SystemState(
                new NodeChecks(platform, lease, releases),
                new DatabaseChecks(platform.db()),
                platform,
                events,
                modules);
        this.settings = List.copyOf(settings);
    }

    /** The state of a database and of this machine's memory, for who looks without a node. */
    public static List<SystemCheck> inspect(Db db) {
        return Stream.concat(Stream.of(NodeChecks.machineMemory()), new DatabaseChecks(db).state().stream())
                .toList();
    }

    @Override
    public void start(ResourceStack resources) {
        if (updates.isOn()) {
            resources.add(WorkLoop.every(ReleaseCheck.INTERVAL, "release check", releases::run));
        }
    }

    @Override
    public List<Routes> routes() {
        return List.of(new SystemRoutes(state, settings));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return List.of(new SystemPages(shell, state, settings));
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(
                new NavItem(Text.of("system.title"), SystemPages.STATE, "device", 1030, Audience.ADMIN),
                new NavItem(Text.of("system.settings"), SystemPages.SETTINGS, "settings", 1040, Audience.ADMIN));
    }
}
