package io.hiroba.agents;

import io.hiroba.platform.i18n.Reader;
import java.time.Duration;
import java.util.ArrayList;

/** Text of the time that a run took and of its use of a model. */
final class RunUsageText {

    private RunUsageText() {}

    /** Empty for a run that has not begun. */
    static String of(AgentRun run, Reader reader) {
        var parts = new ArrayList<String>();
        var usage = run.usage();
        if (usage.turns() > 0) {
            parts.add(reader.text(
                    "agents.usage",
                    "turns",
                    usage.turns(),
                    "tokens",
                    usage.tokensIn() + usage.tokensOut(),
                    "cost",
                    usage.cost().toPlainString()));
        }
        var started = run.times().startedAt();
        var ended = run.times().endedAt();
        if (started != null && ended != null) {
            var millis = Duration.between(started, ended).toMillis();
            parts.add(reader.text("agents.took", "seconds", "%d.%d".formatted(millis / 1000, millis % 1000 / 100)));
        }
        return String.join(" · ", parts);
    }
}
