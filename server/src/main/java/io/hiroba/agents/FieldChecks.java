package io.hiroba.agents;

import io.hiroba.platform.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Checks of the fields of one request that go on after a fault, so that all faults are told at once. */
final class FieldChecks {

    private final List<Problem> faults = new ArrayList<>();

    /** The value; empty if it is at fault. What is wrong with no field of the request ends the checks. */
    <T> Optional<T> check(Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (Problem fault) {
            if (fault.kind() != Problem.Kind.INVALID || fault.fields().isEmpty()) {
                throw fault;
            }
            faults.add(fault);
            return Optional.empty();
        }
    }

    /** As above, of what has no value. */
    void require(Runnable check) {
        var _ = check(() -> {
            check.run();
            return true;
        });
    }

    /** Ends the checks: refuses all that is at fault. */
    void end() {
        if (faults.size() == 1) {
            throw faults.getFirst();
        } else if (!faults.isEmpty()) {
            throw AgentsProblem.invalid(
                    faults.stream().flatMap(fault -> fault.fields().stream()).toList());
        }
    }
}
