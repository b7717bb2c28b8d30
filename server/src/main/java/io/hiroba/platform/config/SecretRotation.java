package io.hiroba.platform.config;

import io.hiroba.platform.task.WorkLoop;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the secrets that lie in files or in Vault again and again. While one cannot be read it stays as it was. */
final class SecretRotation implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SecretRotation.class);

    static final Duration INTERVAL = Duration.ofMinutes(1);

    /** A secret with the file or the secret of Vault that its setting names. */
    record Source(String path, String reference, SecretText text) {}

    private final List<Source> sources;
    private final SecretReferences references;
    private final Set<String> failing = new HashSet<>();
    private final WorkLoop loop;

    SecretRotation(Map<String, String> environment, List<Source> sources, Duration interval) {
        this.sources = List.copyOf(sources);
        this.references = new SecretReferences(environment, new ArrayList<>());
        this.loop = WorkLoop.every(interval, "secrets", this::read);
    }

    private void read() {
        try {
            references.refresh();
        } catch (IOException e) {
            log.debug("the token for Vault could not be kept", e); // which those that are read with it tell of
        }
        for (var source : sources) {
            try {
                var text = references.text(source.reference());
                if (failing.remove(source.path())) {
                    log.info("`{}` can be read again", source.path());
                }
                if (!text.equals(source.text().value())) {
                    source.text().replace(text);
                    log.info("`{}` has another value", source.path());
                }
            } catch (IOException | InvalidPathException e) {
                if (failing.add(source.path())) {
                    log.warn(
                            "`{}` stays as it is: {} cannot be read: {}",
                            source.path(),
                            source.reference(),
                            e.getMessage());
                }
            }
        }
    }

    @Override
    public void close() {
        loop.close();
        references.close();
    }
}
