package io.hiroba.testkit;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** Hiroba's classes without the tests, as ArchUnit reads them, once for all tests that ask about the code. */
public final class OwnClasses {

    public static final JavaClasses OWN_CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.hiroba");

    private OwnClasses() {}
}
