package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.workflow.Step;

/** Timers in words. */
final class TimerText {

    private TimerText() {}

    /** What a timer waits for, with the duration, the moment or the expression as it is written. */
    static Text of(Step.Timer timer) {
        return timer.isUntil()
                ? Text.of("saga.workflow.step-until", "time", timer.text())
                : Step.Timer.duration(timer.text())
                        .map(duration -> Text.of("saga.workflow.step-sleep", "duration", DurationText.text(duration)))
                        .orElseGet(() -> Text.of("saga.workflow.step-sleep", "duration", timer.text()));
    }
}
