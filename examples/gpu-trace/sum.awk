# Adds up three columns from the first one on, for each value of the key column. Variables: key, first.
BEGIN { FS = OFS = "\t" }
{
    requests[$key] += $first
    waited[$key] += $(first + 1)
    held[$key] += $(first + 2)
}
END {
    for (k in requests) printf "%s\t%.0f\t%.0f\t%.0f\n", k, requests[k], waited[k], held[k]
}
