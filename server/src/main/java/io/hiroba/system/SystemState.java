package io.hiroba.system;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the state of the system when an admin looks. Something that cannot be measured is a line of its own, not a failure. */
final class SystemState {

    private static final Logger log = LoggerFactory.getLogger(SystemState.class);
    private static final int MAX_COUNTED = 1000;
    private static final Duration LATE = Duration.ofMinutes(1);
    private static final Duration LATE_MAIL = Duration.ofMinutes(10);

    private final NodeChecks node;
    private final DatabaseChecks database;
    private final Platform platform;
    private final Events events;
    private final List<? extends FeatureModule> modules;

    SystemState(
            NodeChecks node,
            DatabaseChecks database,
            Platform platform,
            Events events,
            List<? extends FeatureModule> modules) {
        this.node = node;
        this.database = database;
        this.platform = platform;
        this.events = events;
        this.modules = List.copyOf(modules);
    }

    List<SystemCheck> look(Caller caller) {
        caller.requireAdmin();
        List<SystemCheck> all = new ArrayList<>();
        List<Supplier<List<SystemCheck>>> parts = new ArrayList<>(
                List.of(node::look, node::nodes, database::look, this::credentials, this::consumers, this::mail));
        modules.forEach(module -> parts.add(module::systemChecks));
        for (var part : parts) {
            try {
                all.addAll(part.get());
            } catch (RuntimeException e) {
                log.warn("a part of the system's state could not be measured", e);
                all.add(SystemCheck.of(Group.WORK, "not-measured", Text.of("system.not-measured"), Text.verbatim("–"))
                        .adviseIf(true, Text.of("system.not-measured-advice")));
            }
        }
        all.sort(Comparator.comparing(SystemCheck::group));
        return all;
    }

    String databaseVersion() {
        return database.version();
    }

    /** Those that Vault has, and whether it still renews them. */
    private List<SystemCheck> credentials() {
        return platform.database().inVault().stream()
                .map(credentials -> {
                    var state = credentials.state();
                    return SystemCheck.of(
                                    Group.DATABASE,
                                    "credentials",
                                    Text.of("system.credentials", "reference", credentials),
                                    state.left()
                                            .map(left -> Text.of(
                                                    "system.credentials-left", "time", SystemCheck.duration(left)))
                                            .orElseGet(() -> Text.of("system.credentials-lasting")))
                            .adviseIf(
                                    state.failingFor().isPresent(),
                                    Text.of(
                                            "system.credentials-advice",
                                            "time",
                                            SystemCheck.duration(
                                                    state.failingFor().orElse(Duration.ZERO))));
                })
                .toList();
    }

    /** Where most are late, something holds up all of them: the one that is latest says so, and the others nothing. */
    private List<SystemCheck> consumers() {
        var lags = events.lags();
        var latest = lags.values().stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
        boolean most = lags.values().stream().filter(SystemState::isLate).count() * 2 > lags.size();
        return lags.entrySet().stream()
                .map(entry -> SystemCheck.of(
                                Group.WORK,
                                "events." + entry.getKey(),
                                Text.of("system.consumer", "consumer", entry.getKey()),
                                entry.getValue().isZero()
                                        ? Text.of("system.up-to-date")
                                        : Text.of("system.behind", "time", SystemCheck.duration(entry.getValue())))
                        .adviseIf(
                                isLate(entry.getValue())
                                        && (!most || entry.getValue().equals(latest)),
                                Text.of(most ? "system.consumers-advice" : "system.consumer-advice")))
                .toList();
    }

    private static boolean isLate(Duration lag) {
        return lag.compareTo(LATE) > 0;
    }

    private List<SystemCheck> mail() {
        var oldest = platform.mailer().oldestWaiting();
        var waiting = SystemCheck.counted(platform.mailer().waiting(MAX_COUNTED + 1), MAX_COUNTED);
        return List.of(SystemCheck.of(
                        Group.WORK, "mail-queue", Text.of("system.mail"), Text.of("system.waiting", "count", waiting))
                .adviseIf(
                        oldest.compareTo(LATE_MAIL) > 0,
                        Text.of("system.mail-advice", "time", SystemCheck.duration(oldest))));
    }
}
