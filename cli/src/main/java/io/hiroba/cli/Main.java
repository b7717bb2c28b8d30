package io.hiroba.cli;

/** The program that the launcher hands its words to. */
public final class Main {

    private Main() {}

    public static void main(String[] words) {
        int code = Cli.run(Surroundings.ofProcess(), words);
        System.exit(code);
    }
}
