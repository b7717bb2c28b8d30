package io.hiroba.embedded;

/** A role of the embedded database that is no superuser. */
public record DatabaseRole(String name, String password) {

    @Override
    public String toString() {
        return "DatabaseRole[" + name + "]";
    }
}
