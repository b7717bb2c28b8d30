package io.hiroba.cli;

/** The main class of the client. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        int code = Cli.run(CliEnvironment.ofProcess(), args);
        System.exit(code);
    }
}
