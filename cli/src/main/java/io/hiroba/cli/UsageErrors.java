package io.hiroba.cli;

import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.stream.Collectors;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.MutuallyExclusiveArgsException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in other languages than English what is wrong with the arguments: picocli itself says it in English only. */
final class UsageErrors implements IParameterExceptionHandler {

    private final ResourceBundle texts;

    UsageErrors(CliLanguage language) {
        this.texts = language.texts("help");
    }

    /** What is wrong, without the usage of the command. */
    static String sentence(ParameterException error, CliLanguage language) {
        return language == CliLanguage.ENGLISH
                ? String.valueOf(error.getMessage())
                : new UsageErrors(language).sentence(error);
    }

    @Override
    public int handleParseException(ParameterException error, String[] args) {
        var line = error.getCommandLine();
        var err = line.getErr();
        err.println(sentence(error));
        var suggestions =
                error instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.<String>of();
        if (suggestions.isEmpty()) {
            line.usage(err);
        } else {
            err.println(text("error.did-you-mean", String.join(", ", suggestions)));
        }
        return line.getCommandSpec().exitCodeOnInvalidInput();
    }

    private String sentence(ParameterException error) {
        var about = error.getArgSpec();
        return switch (error) {
            case UnmatchedArgumentException unmatched ->
                text(
                        unmatched.isUnknownOption() ? "error.unknown-option" : "error.unknown-argument",
                        String.join(", ", unmatched.getUnmatched()));
            case MissingParameterException missing -> missing(missing.getMissing());
            case OverwrittenOptionException twice -> text("error.given-twice", name(twice.getOverwritten()));
            case MutuallyExclusiveArgsException _ -> text("error.exclusive");
            case CommandGroup.Unfinished ours -> String.valueOf(ours.getMessage());
            default ->
                about == null || error.getValue() == null
                        ? text("error.wrong", String.valueOf(error.getMessage()))
                        : text("error.invalid-value", name(about), error.getValue());
        };
    }

    private String missing(List<ArgSpec> missing) {
        boolean oneIsEnough = missing.size() > 1
                && missing.stream()
                        .allMatch(each -> each.group() != null && each.group().exclusive());
        return text(
                oneIsEnough ? "error.missing-one" : "error.missing",
                missing.stream().map(UsageErrors::name).collect(Collectors.joining(", ")));
    }

    private static String name(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return argument.paramLabel();
        }
        return option.arity().max() == 0 ? option.longestName() : option.longestName() + "=" + option.paramLabel();
    }

    private String text(String key, Object... arguments) {
        return String.format(Locale.ROOT, texts.getString(key), arguments);
    }
}
