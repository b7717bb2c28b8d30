package io.hiroba.platform;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The version of this program, which is that of its API, and the commit it was built from. */
public final class ProgramVersion {

    public static final String CURRENT = read();

    /** The commit that this program was built from, as the launcher says; empty where that is not known. */
    public static final String COMMIT = System.getProperty("hiroba.commit", "");

    private static final int HEAD = 400;

    private ProgramVersion() {}

    private static String read() {
        try (var document =
                ProgramVersion.class.getClassLoader().getResourceAsStream("io/hiroba/contract/openapi.yaml")) {
            if (document == null) {
                throw new IllegalStateException("openapi.yaml is not on the class path");
            }
            var head = new String(document.readNBytes(HEAD), StandardCharsets.UTF_8);
            var version = Pattern.compile("(?m)^  version: (\\S+)$").matcher(head);
            return version.find() ? version.group(1) : "?";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
