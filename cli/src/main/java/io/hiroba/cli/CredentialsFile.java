package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The file that stores the credentials, readable by its owner only. */
final class CredentialsFile {

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path file;

    CredentialsFile(CliEnvironment environment) {
        var config = environment
                .variable("XDG_CONFIG_HOME")
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElse(environment.home().resolve(".config"));
        this.file = config.resolve("hiroba").resolve("credentials.json");
    }

    Optional<CliCredentials> read() {
        try {
            return Files.exists(file) ? Optional.of(parse(Files.readString(file))) : Optional.empty();
        } catch (IOException e) {
            throw cannot("input.unreadable", e);
        }
    }

    /** Replaces the file atomically. */
    void write(CliCredentials credentials) {
        try {
            Files.createDirectories(file.resolveSibling(""), OWNER_ONLY_FOLDER);
            Path next = Files.createTempFile(file.resolveSibling(""), "credentials", ".new", OWNER_ONLY);
            Files.writeString(
                    next,
                    CliJson.write(Map.of(
                            "url", credentials.server().uri().toString(),
                            "token", credentials.token(),
                            "tokenId", credentials.tokenId())));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw cannot("input.unwritable", e);
        }
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CliCredentials parse(String text) {
        var json = CliJson.read(text).orElseThrow(this::unusable);
        String token = json.path("token").asString("");
        String url = json.path("url").asString("");
        if (!CliCredentials.isToken(token) || url.isEmpty()) {
            throw unusable();
        }
        return new CliCredentials(
                ServerAddress.parse(url), token, json.path("tokenId").asString(""));
    }

    private Failure unusable() {
        return Failure.of(Cli.FAILED, "cli.credentials", text("credentials.unusable", file));
    }

    private Failure cannot(String key, IOException e) {
        return Failure.of(Cli.FAILED, "cli.credentials", text(key, file, Failure.reason(e)));
    }
}
