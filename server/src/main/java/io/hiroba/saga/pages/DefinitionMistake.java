package io.hiroba.saga.pages;

import io.hiroba.platform.problem.Problem;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What is wrong with a line of a definition.
 *
 * @param source the line as it was typed
 */
public record DefinitionMistake(int line, String path, String reason, String source) {

    private static final Pattern MESSAGE = Pattern.compile("line (\\d{1,9})(?:: |, )(.*)", Pattern.DOTALL);

    /** The mistakes that a refusal names, with the lines of {@code text} that they are in. */
    static List<DefinitionMistake> of(Problem refusal, String text) {
        var lines = text.lines().toList();
        return refusal.fields().stream()
                .map(fault -> {
                    var message = MESSAGE.matcher(fault.message());
                    if (!message.matches()) {
                        return new DefinitionMistake(0, fault.field(), fault.message(), "");
                    }
                    int line = Integer.parseInt(message.group(1));
                    var source = line >= 1 && line <= lines.size() ? lines.get(line - 1) : "";
                    return new DefinitionMistake(line, fault.field(), message.group(2), source);
                })
                .toList();
    }
}
