package io.hiroba.testkit;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Makes JUnit's temporary folders where the other folders of tests are: whole databases live in some of them. */
public final class ScratchFolders implements TempDirFactory {

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) {
        return Scratch.create("hiroba-folder");
    }
}
